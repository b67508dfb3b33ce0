import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { money } from '../shared/amounts.ts'
import { messageName } from '../messages/message-words.ts'
import { clockTime, countOf, fullDay } from '../shared/days.ts'
import { Readout, Readouts } from '../shared/readout.tsx'
import type { InvoiceFigure } from './figure-events.ts'

/** A figure that was pressed: its label, and which events it consists of. */
export interface PickedFigure {
  readonly label: string
  readonly figure: InvoiceFigure
}

interface InvoiceFiguresProps {
  readonly invoice: InvoiceResponse
  readonly onPick: (picked: PickedFigure) => void
}

/** The four figures of an invoice. Each opens its events in the history. */
export function InvoiceFigures({ invoice, onPick }: InvoiceFiguresProps) {
  const { figures, details, currency, ended, client } = invoice
  const reference = client.isErased ? null : details.reference
  const { open, paid, daysOverdue, paidOn, daysToPay } = figures
  const [next] = invoice.coming.messages
  const hasDaysToPay = paidOn !== null && daysToPay !== null
  const events = (figure: InvoiceFigure, label: string) => ({
    label,
    opens: `Events of ${label.toLowerCase()} in the history`,
    onOpen: () => onPick({ label, figure }),
  })
  return (
    <Readouts>
      <Readout
        {...events('open', 'Open')}
        figure={money(open, currency)}
        note={`of ${money(details.amount, currency)}`}
      />
      <Readout
        {...events('paid', 'Paid')}
        figure={money(paid, currency)}
        note={paidNote(invoice)}
      />
      {paidOn === null ? (
        <Readout
          {...events('due', ended === null && daysOverdue > 0 ? 'Overdue since' : 'Due')}
          figure={fullDay(details.dueDate)}
          note={ended === null ? dueNote(daysOverdue) : 'Nothing is owed'}
        />
      ) : (
        <Readout
          {...events('days-to-pay', 'Paid on')}
          figure={fullDay(paidOn)}
          note={`due ${fullDay(details.dueDate)}`}
        />
      )}
      {next !== undefined && ended === null && paidOn === null ? (
        <Readout
          label="Next step"
          figure={fullDay(next.day)}
          note={`${messageName(next)}, ${clockTime(next.at, invoice.timeZone)}`}
        />
      ) : (
        <Readout
          {...(hasDaysToPay ? events('days-to-pay', 'Days to pay') : events('issued', 'Issued'))}
          figure={
            hasDaysToPay ? (
              <>
                {daysToPay}
                <small>{daysToPay === 1 ? 'day' : 'days'}</small>
              </>
            ) : details.issueDate === null ? (
              'No date'
            ) : (
              fullDay(details.issueDate)
            )
          }
          note={ended === null ? (reference ?? '\u00a0') : `Ended ${fullDay(ended.day)}`}
        />
      )}
    </Readouts>
  )
}

function dueNote(daysOverdue: number): string {
  if (daysOverdue > 0) return countOf(daysOverdue, 'day')
  return daysOverdue === 0 ? 'today' : `in ${countOf(-daysOverdue, 'day')}`
}

/** The paid amount is that of the payments and of the client's credits together. */
function paidNote({ figures: { payments }, creditUses }: InvoiceResponse): string {
  const hasCredit = creditUses.some(({ applied, isTakenBack }) => applied > 0 && !isTakenBack)
  if (payments === 0) return hasCredit ? 'By credit' : 'No payment'
  return hasCredit ? `${countOf(payments, 'payment')} and credit` : countOf(payments, 'payment')
}
