import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { UploadIcon } from '../../../ui/table-icons.tsx'
import { AddClientDialog } from '../acts/add-client-dialog.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { countOf } from '../shared/days.ts'
import { importPath } from '../shared/paths.ts'
import { BrandStep, PaymentsStep, ScheduleStep, TurnOnStep } from './checklist-steps.tsx'
import './checklist.css'

/** Until the first invoice: import a file, or add clients and invoices by hand. */
export function Checklist({ overview }: { overview: ReceivablesOverview }) {
  const [adds, setAdds] = useState<'client' | 'invoice' | null>(null)
  const { access, counts, merchant, currency } = overview
  const close = () => setAdds(null)
  return (
    <>
      <PageHead
        title="Five steps to the first reminder"
        note={`${merchant.companyName === null ? '' : `${merchant.companyName}. `}Nothing goes out before step 5.`}
      />
      <section className="panel" aria-label="Checklist">
        <ol className="checklist">
          <li className="checklist-next" aria-current="step">
            <span className="checklist-number">1</span>
            <div>
              <h2>Import invoices</h2>
              <p>
                A CSV or XLSX file from your accounting, up to 20,000 rows. You see each row before
                anything is stored.
              </p>
            </div>
            <dl className="checklist-descriptions">
              <div>
                <dt>Required</dt>
                <dd>Number, client, due date, amount</dd>
              </div>
              <div>
                <dt>Optional</dt>
                <dd>E-mail, phone, open amount, others</dd>
              </div>
            </dl>
            {access.mayAct && (
              <Link className={buttonClass({})} to={importPath}>
                <UploadIcon />
                Choose a file
              </Link>
            )}
          </li>
          <BrandStep mayAct={access.mayAct} />
          <PaymentsStep mayAct={access.mayAct} />
          <ScheduleStep mayAct={access.mayAct} />
          <TurnOnStep mayAct={access.mayAct} />
        </ol>
        {access.mayAct && (
          <div className="rcv-band">
            <p className="checklist-hand">
              Or add them by hand
              {counts.clients > 0 &&
                `: ${countOf(counts.clients, 'client is', 'clients are')} there`}
              .
            </p>
            <Button look="line" onClick={() => setAdds('client')}>
              Add client
            </Button>
            <Button look="line" onClick={() => setAdds('invoice')}>
              Add invoice
            </Button>
          </div>
        )}
      </section>
      {adds === 'client' && <AddClientDialog onClose={close} />}
      {adds === 'invoice' && (
        <AddInvoiceDialog today={merchant.today} currency={currency} onClose={close} />
      )}
    </>
  )
}
