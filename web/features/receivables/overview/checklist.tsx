import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { useGetBrandQuery } from '../../../api/messages-api.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { UploadIcon } from '../../../ui/table-icons.tsx'
import { AddClientDialog } from '../acts/add-client-dialog.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { countOf } from '../shared/days.ts'
import { importPath } from '../shared/paths.ts'
import './checklist.css'

/** What clients see of the merchant. It can be done at any time. */
function BrandStep({ mayAct }: { readonly mayAct: boolean }) {
  const { data: brand } = useGetBrandQuery()
  const isDone = brand !== undefined && (brand.color !== null || brand.logo !== null)
  return (
    <li>
      <span className="checklist-number">2</span>
      <div>
        <h2>Brand</h2>
        <p>Your logo, color and name, as your clients see them in e-mails and texts.</p>
      </div>
      <dl className="checklist-facts">
        <div>
          <dt>Logo</dt>
          <dd>{brand?.logo ? 'Chosen' : 'None'}</dd>
        </div>
        <div>
          <dt>Color</dt>
          <dd>{brand?.color ?? 'None'}</dd>
        </div>
      </dl>
      {mayAct && (
        <Link className={buttonClass({ look: 'line' })} to="/receivables/brand">
          {isDone ? 'Change the brand' : 'Set up the brand'}
        </Link>
      )}
    </li>
  )
}

/** Until the first invoice: import a file, or add clients and invoices by hand. */
export function Checklist({ overview }: { overview: ReceivablesOverview }) {
  const [adds, setAdds] = useState<'client' | 'invoice' | null>(null)
  const { access, counts, merchant, currency } = overview
  const close = () => setAdds(null)
  return (
    <>
      <PageHead title="Your first invoices" note={merchant.companyName ?? undefined} />
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
            <dl className="checklist-facts">
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
