import { Link } from 'react-router-dom'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Panel } from '../../../ui/panel.tsx'
import { money, sumsText } from '../shared/amounts.ts'
import { Contact } from '../shared/contact.tsx'
import { ageText } from '../shared/invoice-status.tsx'
import { clientPath, invoicePath } from '../shared/paths.ts'
import './client-card.css'

/** Who owes the invoice, and what else it owes. */
export function ClientCard({ invoice }: { invoice: InvoiceResponse }) {
  const { client, receivableId } = invoice
  return (
    <Panel
      title="Client"
      padded={false}
      actions={<Link to={clientPath(client.clientId)}>Open</Link>}
    >
      <div className="client-card">
        <h3 dir="auto">{client.name}</h3>
        <Contact client={client} />
      </div>
      {client.openInvoices.length > 0 && (
        <ul className="client-owes">
          {client.openInvoices.map((other) => (
            <li
              key={other.receivableId}
              className={other.receivableId === receivableId ? 'client-owes-this' : ''}
            >
              <span>
                <Link className="mono" to={invoicePath(other.receivableId)}>
                  {other.number}
                </Link>
                <small>{ageText(other.daysOverdue)}</small>
              </span>
              <b>{money(other.open, other.currency)}</b>
            </li>
          ))}
          <li className="client-owes-sum">
            <span>Owes in all</span>
            <b>{sumsText(client.owes, ({ open }) => open)}</b>
          </li>
        </ul>
      )}
    </Panel>
  )
}
