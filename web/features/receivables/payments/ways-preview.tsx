import { hostOfGatewayLink } from '#contracts/receivables/gateway-link'
import type { BrandResponse } from '#contracts/receivables/brand'
import { useGetBrandQuery } from '../../../api/messages-api.ts'
import { Panel } from '../../../ui/panel.tsx'
import { brandShades } from '../preview/brand-shades.ts'
import { Sender } from '../preview/sender.tsx'
import { money } from '../shared/amounts.ts'
import { example } from './example.ts'
import '../preview/preview.css'

interface WaysPreviewProps {
  readonly canCharge: boolean
  /** Without a mistake. */
  readonly link: string | null
  readonly instructions: string | null
}

/** How the client's page offers what is typed. */
export function WaysPreview({ canCharge, link, instructions }: WaysPreviewProps) {
  const { data: brand } = useGetBrandQuery()
  const amount = money(example.amount.amount, example.amount.currency)
  const hasWay = canCharge || link !== null || instructions !== null
  return (
    <Panel title="What your clients see" actions={<span className="ways-hint">Example</span>}>
      <div className="ways-preview">
        <article
          className="msg-portal msg-brand"
          style={brandShades(brand?.color ?? null)}
          aria-label="Client's page"
        >
          {brand !== undefined && <Sender name={senderOf(brand)} logo={brand.logo} />}
          <p className="msg-muted">{example.client}</p>
          <strong>{amount}</strong>
          <ul>
            <li>
              <span>Invoice {example.invoice}</span>
              <b>{amount}</b>
            </li>
          </ul>
          {canCharge && <span className="msg-button">Pay {amount}</span>}
          {link !== null && (
            <>
              <span className={canCharge ? 'msg-button ways-second' : 'msg-button'}>
                Pay at {hostOfGatewayLink(link)}
              </span>
              <p className="msg-muted">This leads to {hostOfGatewayLink(link)}.</p>
            </>
          )}
          {instructions !== null && (
            <div className="ways-written">
              <b>{canCharge || link !== null ? 'Other ways to pay' : 'How to pay'}</b>
              <p dir="auto">{instructions}</p>
            </div>
          )}
          {!hasWay && (
            <p className="msg-muted">No way to pay is set up. Your clients see how to reach you.</p>
          )}
        </article>
      </div>
    </Panel>
  )
}

function senderOf({ senderName, senderNameState, defaults }: BrandResponse): string {
  return senderNameState === 'approved' && senderName !== null ? senderName : defaults.senderName
}
