import type { BrandResponse } from '#contracts/receivables/brand'
import type { PreviewResponse } from '#contracts/receivables/templates'
import { brandShades } from './brand-shades.ts'
import { Sender } from './sender.tsx'
import './preview.css'

interface MailPreviewProps {
  readonly mail: PreviewResponse['mail']
  readonly color: string | null
  readonly logo: BrandResponse['logo']
  /** The sentence with the subject, above the paper. */
  readonly hasSubject?: boolean
}

/** A reminder as its layout shows it. What looks like a link leads nowhere. */
export function MailPreview({ mail, color, logo, hasSubject = false }: MailPreviewProps) {
  const { figures, words, action, line, facts, foot } = mail
  return (
    <>
      {hasSubject && (
        <p className="msg-subject">
          {mail.fromName}
          <b dir="auto">{mail.subject}</b>
        </p>
      )}
      <article className="msg-mail msg-brand" style={brandShades(color)} aria-label="E-mail">
        <header>
          <Sender name={mail.fromName} logo={logo} />
          <span className="msg-muted">{mail.topic}</span>
        </header>
        <div className="msg-body">
          {figures.map(({ label, value }) => (
            <div key={label}>
              <p className="msg-muted">{label}</p>
              <p className={value.length > 12 ? 'msg-figure msg-figure-long' : 'msg-figure'}>
                {value}
              </p>
            </div>
          ))}
          {words.map((paragraph, index) => (
            <p key={index} dir="auto">
              {paragraph}
            </p>
          ))}
          <span className="msg-button">{action}</span>
          {line !== null && <Line line={line} />}
          <dl className="msg-descriptions">
            {facts.map(({ term, value, isSum }, index) => (
              <Row key={index} term={term} value={value} isSum={isSum} />
            ))}
          </dl>
        </div>
        <footer>
          <p>{foot.reply}</p>
          <p>{foot.address}</p>
          <p>
            {foot.why} {foot.sentFor} <span className="msg-link">{foot.stop}</span>
          </p>
        </footer>
      </article>
    </>
  )
}

function Row({ term, value, isSum }: PreviewResponse['mail']['facts'][number]) {
  const look = isSum ? 'msg-sum' : undefined
  return (
    <>
      <dt className={look}>{term}</dt>
      <dd className={look}>{value}</dd>
    </>
  )
}

/** The needle stands at today, and the dates are text. */
function Line({ line }: { readonly line: NonNullable<PreviewResponse['mail']['line']> }) {
  const { start, end, now } = line
  return (
    <div className="msg-line">
      <div className="msg-track" aria-hidden="true">
        <i />
        {now < 1 && <i />}
        <b style={{ left: `${now * 100}%` }} />
      </div>
      <div className="msg-ends">
        {[start, end].map(({ label, date }) => (
          <span key={label}>
            <b>{label}</b>
            {date}
          </span>
        ))}
      </div>
    </div>
  )
}
