import { useState } from 'react'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { AddClientDialog } from '../acts/add-client-dialog.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { countOf } from '../shared/days.ts'
import './checklist.css'

/** Until the first invoice: what to do, in order. */
export function Checklist({ overview }: { overview: ReceivablesOverview }) {
  const [adds, setAdds] = useState<'client' | 'invoice' | null>(null)
  const { access, counts, merchant, currency } = overview
  const hasClient = counts.clients > 0
  const close = () => setAdds(null)
  return (
    <>
      <PageHead title="Two steps to the first invoice" note={merchant.companyName ?? undefined} />
      <section className="panel" aria-label="Checklist">
        <ol className="checklist">
          <li
            className={hasClient ? '' : 'checklist-next'}
            aria-current={hasClient ? undefined : 'step'}
          >
            <span className="checklist-number">{hasClient ? <Mark kind="paid" /> : 1}</span>
            <div>
              <h2>Add a client</h2>
              <p>A company or person that owes you money, and how to reach it.</p>
            </div>
            <p className="checklist-state">
              {hasClient ? countOf(counts.clients, 'client') : 'None yet'}
            </p>
            {access.mayAct && (
              <Button look={hasClient ? 'line' : 'ink'} onClick={() => setAdds('client')}>
                Add client
              </Button>
            )}
          </li>
          <li
            className={hasClient ? 'checklist-next' : ''}
            aria-current={hasClient ? 'step' : undefined}
          >
            <span className="checklist-number">2</span>
            <div>
              <h2>Add an invoice</h2>
              <p>
                Its number, due date and amount. This page then shows what is owed, how old it is
                and what came in.
              </p>
            </div>
            <p className="checklist-state">None yet</p>
            {access.mayAct && (
              <Button look={hasClient ? 'ink' : 'line'} onClick={() => setAdds('invoice')}>
                Add invoice
              </Button>
            )}
          </li>
        </ol>
      </section>
      {adds === 'client' && <AddClientDialog onClose={close} />}
      {adds === 'invoice' && (
        <AddInvoiceDialog today={merchant.today} currency={currency} onClose={close} />
      )}
    </>
  )
}
