import type { ClientResponse } from '#contracts/receivables/clients'
import { sumsText } from '../shared/amounts.ts'
import { countOf, daysBetween, fullDay } from '../shared/days.ts'
import { ageText } from '../shared/invoice-status.tsx'
import { invoicesPath } from '../shared/paths.ts'
import type { OpenFigure } from '../shared/figure-drawer.tsx'
import { Readout, Readouts } from '../shared/readout.tsx'

interface ClientFiguresProps {
  readonly page: ClientResponse
  readonly onOpen: (figure: OpenFigure) => void
  readonly onPickCredits: () => void
}

/**
 * What a client owes. Each figure opens its events. Amounts in two currencies have no sum, so they
 * open the invoices.
 */
export function ClientFigures({ page, onOpen, onPickCredits }: ClientFiguresProps) {
  const { client, balances, openInvoices, oldestDue, today } = page
  const open = balances.filter((balance) => balance.open > 0)
  const overdue = balances.filter((balance) => balance.overdue > 0)
  const credit = balances.filter((balance) => balance.credit > 0)
  const daysOverdue = oldestDue === null ? 0 : daysBetween(oldestDue, today)
  const invoices = (filter: 'open' | 'overdue') =>
    invoicesPath({ client: client.clientId, filter, sort: 'dueDate', order: 'asc' })
  return (
    <Readouts>
      <Readout
        label="Owes"
        figure={sumsText(open, (balance) => balance.open) || 'Nothing'}
        note={countOf(openInvoices, 'open invoice')}
        {...(open.length === 1
          ? {
              opens: 'Events of what the client owes',
              onOpen: () =>
                onOpen({ figure: 'outstanding', title: 'Owes', client: client.clientId }),
            }
          : { opens: 'See the open invoices', to: invoices('open') })}
      />
      <Readout
        label="Overdue"
        figure={sumsText(overdue, (balance) => balance.overdue) || 'Nothing'}
        note={overdue.length === 0 ? 'No invoice is late' : 'Past the due date'}
        {...(overdue.length === 1 && open.length === 1
          ? {
              opens: 'Events of what is overdue',
              onOpen: () =>
                onOpen({ figure: 'overdue', title: 'Overdue', client: client.clientId }),
            }
          : { opens: 'See the overdue invoices', to: invoices('overdue') })}
      />
      <Readout
        label="Oldest due"
        figure={oldestDue === null ? 'None' : fullDay(oldestDue)}
        note={oldestDue === null ? 'No open invoice' : ageText(daysOverdue)}
        opens="See the open invoices, oldest due date first"
        to={invoices('open')}
      />
      <Readout
        label="Credit"
        figure={sumsText(credit, (balance) => balance.credit) || 'None'}
        note={credit.length === 0 ? 'Nothing paid in excess' : 'Not used yet'}
        opens="Events of credit in the timeline"
        onOpen={onPickCredits}
      />
    </Readouts>
  )
}
