import type { BrandResponse } from '#contracts/receivables/brand'
import type { PreviewResponse } from '#contracts/receivables/templates'
import { brandShades } from '../preview/brand-shades.ts'
import { Sender } from '../preview/sender.tsx'
import '../preview/preview.css'

/** The head of the client's page, with what the previewed message is about. */
export function PortalPreview({
  message,
  color,
  logo,
}: {
  readonly message: PreviewResponse
  readonly color: string | null
  readonly logo: BrandResponse['logo']
}) {
  const { mail, clientName } = message
  return (
    <article className="msg-portal msg-brand" style={brandShades(color)} aria-label="Client's page">
      <Sender name={mail.fromName} logo={logo} />
      <p className="msg-muted" dir="auto">
        {clientName}
      </p>
      <strong>{mail.figures[0]?.value}</strong>
      <ul>
        {mail.facts
          .filter(({ isSum }) => !isSum)
          .slice(0, 3)
          .map(({ term, value }) => (
            <li key={term}>
              <span>{term}</span>
              <b>{value}</b>
            </li>
          ))}
      </ul>
      <span className="msg-button">{mail.action}</span>
    </article>
  )
}
