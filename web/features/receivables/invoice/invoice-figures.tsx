import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { money } from '../shared/amounts.ts'
import { countOf, fullDay } from '../shared/days.ts'
import { Readout, Readouts } from '../shared/readout.tsx'

/** The four figures of an invoice. Its history below has their events. */
export function InvoiceFigures({ invoice }: { invoice: InvoiceResponse }) {
  const { figures, details, currency, ended } = invoice
  const { open, paid, payments, daysOverdue, paidOn, daysToPay } = figures
  const toHistory = () => document.getElementById('history')?.focus()
  return (
    <Readouts>
      <Readout
        label="Open"
        figure={money(open, currency)}
        note={`of ${money(details.amount, currency)}`}
        opens="See the events in the history"
        onOpen={toHistory}
      />
      <Readout
        label="Paid"
        figure={money(paid, currency)}
        note={payments === 0 ? 'No payment' : countOf(payments, 'payment')}
        opens="See the payments in the history"
        onOpen={toHistory}
      />
      {paidOn === null ? (
        <Readout
          label={daysOverdue > 0 ? 'Overdue since' : 'Due'}
          figure={fullDay(details.dueDate)}
          note={dueNote(daysOverdue)}
        />
      ) : (
        <Readout
          label="Paid on"
          figure={fullDay(paidOn)}
          note={`due ${fullDay(details.dueDate)}`}
        />
      )}
      <Readout
        label={paidOn === null ? 'Issued' : 'Days to pay'}
        figure={
          paidOn === null || daysToPay === null ? (
            details.issueDate === null ? (
              'No date'
            ) : (
              fullDay(details.issueDate)
            )
          ) : (
            <>
              {daysToPay}
              <small>days</small>
            </>
          )
        }
        note={ended === null ? (details.reference ?? '\u00a0') : `Ended ${fullDay(ended.day)}`}
      />
    </Readouts>
  )
}

function dueNote(daysOverdue: number): string {
  if (daysOverdue > 0) return countOf(daysOverdue, 'day')
  return daysOverdue === 0 ? 'today' : `in ${countOf(-daysOverdue, 'day')}`
}
