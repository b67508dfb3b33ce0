import type { ClientResponse } from '#contracts/receivables/clients'
import { sumsText } from '../shared/amounts.ts'
import { countOf, daysBetween, fullDay } from '../shared/days.ts'
import { ageText } from '../shared/invoice-status.tsx'
import { Readout, Readouts } from '../shared/readout.tsx'

/** What a client owes. The timeline below has the events. */
export function ClientFigures({ page }: { page: ClientResponse }) {
  const { balances, openInvoices, oldestDue, today } = page
  const open = balances.filter((balance) => balance.open > 0)
  const overdue = balances.filter((balance) => balance.overdue > 0)
  const credit = balances.filter((balance) => balance.credit > 0)
  const toTimeline = () => document.getElementById('history')?.focus()
  const daysOverdue = oldestDue === null ? 0 : daysBetween(oldestDue, today)
  return (
    <Readouts>
      <Readout
        label="Owes"
        figure={sumsText(open, (balance) => balance.open) || 'Nothing'}
        note={countOf(openInvoices, 'open invoice')}
        opens="See the events in the timeline"
        onOpen={toTimeline}
      />
      <Readout
        label="Overdue"
        figure={sumsText(overdue, (balance) => balance.overdue) || 'Nothing'}
        note={'\u00a0'}
        opens="See the events in the timeline"
        onOpen={toTimeline}
      />
      <Readout
        label="Oldest due"
        figure={oldestDue === null ? 'None' : fullDay(oldestDue)}
        note={oldestDue === null ? 'No open invoice' : ageText(daysOverdue)}
      />
      <Readout
        label="Credit"
        figure={sumsText(credit, (balance) => balance.credit) || 'None'}
        note={credit.length === 0 ? '\u00a0' : 'not used yet'}
      />
    </Readouts>
  )
}
