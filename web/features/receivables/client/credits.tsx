import type { ClientResponse } from '#contracts/receivables/clients'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { money } from '../shared/amounts.ts'
import '../invoice/payments-panel.css'

type Credit = ClientResponse['credits'][number]

interface CreditsProps {
  readonly credits: readonly Credit[]
  readonly mayReturn: boolean
  readonly onReturn: (credit: Credit) => void
}

/** What was paid above an invoice. An invoice's page uses it, this one returns it. */
export function Credits({ credits, mayReturn, onReturn }: CreditsProps) {
  if (credits.length === 0) return null
  return (
    <Panel title="Credits" padded={false}>
      <ul className="rcv-payments">
        {credits.map((credit) => (
          <li key={credit.creditId}>
            <Mark kind="refund" />
            <div>
              Paid above an invoice
              {mayReturn && (
                <div className="rcv-words">
                  <Button look="link" onClick={() => onReturn(credit)}>
                    Return it
                  </Button>
                </div>
              )}
            </div>
            <div className="rcv-payment-amount">{money(credit.left, credit.currency)}</div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
