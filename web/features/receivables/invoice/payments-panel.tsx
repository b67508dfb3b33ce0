import type { ReactNode } from 'react'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { ChosenAct } from '../acts/invoice-forms.ts'
import { methodName } from '../acts/money-fields.ts'
import { ExportButton } from '../list/export-button.tsx'
import { money } from '../shared/amounts.ts'
import { shortDay, type Day } from '../shared/days.ts'
import { mayDo } from './acts-band.tsx'
import './payments-panel.css'

interface PaymentsPanelProps {
  readonly invoice: InvoiceResponse
  readonly onAct: (act: ChosenAct) => void
}

/** Each payment and each use of a credit with its acts. Reversed ones stay. */
export function PaymentsPanel({ invoice, onAct }: PaymentsPanelProps) {
  const { receivableId, payments, creditUses, currency, today, client } = invoice
  if (payments.length + creditUses.length === 0) return null
  const mayTakeBack = mayDo(invoice, 'take-credit-back')
  const mayCorrect = mayDo(invoice, 'correct-payment')
  const mayReverse = mayDo(invoice, 'reverse-payment')
  const day = (date: Day) => shortDay(date, today)
  return (
    <Panel title="Payments" padded={false}>
      <ul className="rcv-payments">
        {payments.toReversed().map((payment) => {
          const { paymentId, applied, surplus, date, note, isEstimated, reversed, wentBack } =
            payment
          const isByHand = payment.paidWith === null
          const all = money(applied + surplus, currency)
          return (
            <Entry key={paymentId} amount={all} day={day(date)} isOver={reversed !== null}>
              {payment.paidWith ?? methodName(payment.method)}
              {!isByHand && <small>Paid on the payment page</small>}
              {isEstimated && ', day estimated'}
              {note !== null && !client.isErased && <small dir="auto">{note}</small>}
              {surplus > 0 && <small>{money(surplus, currency)} became a credit</small>}
              {reversed !== null && <small>{reversalText(reversed)}</small>}
              {reversed === null && wentBack > 0 && (
                <small>{money(wentBack, currency)} of it went back</small>
              )}
              {reversed === null && (
                <div className="rcv-words">
                  <ExportButton
                    path={`invoices/${encodeURIComponent(receivableId)}/payments/${encodeURIComponent(paymentId)}/receipt`}
                    name={`Receipt of ${all}`}
                    query={{}}
                    format="pdf"
                    look="link"
                    label="Receipt"
                  />
                  {isByHand && mayCorrect && (
                    <Button
                      look="link"
                      aria-label={`Correct the payment of ${all}`}
                      onClick={() => onAct({ type: 'correct-payment', payment })}
                    >
                      Correct
                    </Button>
                  )}
                  {isByHand && mayReverse && (
                    <Button
                      look="link"
                      aria-label={`Reverse the payment of ${all}`}
                      onClick={() => onAct({ type: 'reverse-payment', payment })}
                    >
                      Reverse
                    </Button>
                  )}
                </div>
              )}
            </Entry>
          )
        })}
        {creditUses.toReversed().map((use) => {
          const { applicationId, applied, date, isTakenBack } = use
          const all = money(applied, currency)
          return (
            <Entry key={applicationId} amount={all} day={day(date)} isOver={isTakenBack}>
              Credit of the client
              {isTakenBack && <small>Taken back</small>}
              {!isTakenBack && mayTakeBack && (
                <div className="rcv-words">
                  <Button
                    look="link"
                    aria-label={`Take back the credit of ${all}`}
                    onClick={() => onAct({ type: 'take-credit-back', use })}
                  >
                    Take back
                  </Button>
                </div>
              )}
            </Entry>
          )
        })}
      </ul>
    </Panel>
  )
}

interface EntryProps {
  readonly amount: string
  readonly day: string
  /** The money went back, so the amount is crossed out. */
  readonly isOver: boolean
  readonly children: ReactNode
}

function Entry({ amount, day, isOver, children }: EntryProps) {
  return (
    <li>
      <Mark kind={isOver ? 'failed' : 'paid'} />
      <div>{children}</div>
      <div className="rcv-payment-amount">
        {isOver ? <s>{amount}</s> : amount}
        <small>{day}</small>
      </div>
    </li>
  )
}

function reversalText(
  reversed: NonNullable<InvoiceResponse['payments'][number]['reversed']>,
): string {
  switch (reversed) {
    case 'returned':
      return 'The money went back'
    case 'recorded-in-error':
      return 'Recorded in error'
    case 'refunded':
      return 'Refunded'
    case 'charged-back':
      return "Taken back by the client's bank"
    default:
      return ofNewerRelease(reversed)
  }
}
