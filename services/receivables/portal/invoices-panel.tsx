import { countText, listText, longDay, shortDay } from './portal-words.ts'
import { money, type PortalInvoice, type PortalView } from './portal-view.ts'

/** What is open, without a way to pay it. */
export function InvoicesPanel({ view }: { readonly view: PortalView }) {
  return (
    <section className="panel" aria-labelledby="invoices">
      <header>
        <h2 id="invoices">Open invoices</h2>
      </header>
      <ul className="pay-invoices">
        {view.invoices.map((invoice) => (
          <li key={invoice.receivableId}>
            <InvoiceFacts invoice={invoice} />
            <span className="pay-amount">{money(invoice.open, invoice.currency)}</span>
          </li>
        ))}
      </ul>
      <Totals view={view} />
    </section>
  )
}

/** Number, due date, what was paid, reference and the merchant's document of one invoice. */
export function InvoiceFacts({ invoice }: { readonly invoice: PortalInvoice }) {
  const { number, reference, currency, amount, open, dueDate, daysOverdue, url } = invoice
  const paid = amount - open
  return (
    <div>
      <b dir="auto">{number}</b>
      <p>
        {daysOverdue > 0 ? (
          <>
            <span className="pay-late">{countText(daysOverdue, 'day')} overdue</span>, due{' '}
            {shortDay(dueDate)}
          </>
        ) : (
          `Due ${longDay(dueDate)}`
        )}
        {paid > 0 && (
          <>
            <br />
            {money(paid, currency)} of {money(amount, currency)} paid or credited
          </>
        )}
        {reference !== null && (
          <>
            <br />
            <span dir="auto">{reference}</span>
          </>
        )}
      </p>
      {url !== null && (
        <p className="pay-link">
          <a href={url} rel="noopener noreferrer">
            Invoice at {new URL(url).host}
          </a>
        </p>
      )}
    </div>
  )
}

function Totals({ view: { owed, invoices } }: { readonly view: PortalView }) {
  return (
    <p className="pay-total">
      <span>{countText(invoices.length, 'invoice')}</span>
      <b>{listText(owed.map(({ open, currency }) => money(open, currency)))}</b>
    </p>
  )
}
