import type { Day } from '#services/finance/calendar'
import { countText, listText, longDay, shortDay } from './portal-words.ts'
import { disputeAddress, isDisputable } from './dispute-panel.tsx'
import type { PortalInvoice } from './portal-invoice.ts'
import { money, type PortalView } from './portal-view.ts'

/** What is open, without a way to pay it. */
export function InvoicesPanel({ view }: { readonly view: PortalView }) {
  return (
    <section className="panel" aria-labelledby="invoices">
      <header>
        <h2 id="invoices">Open invoices</h2>
      </header>
      <ul className="pay-invoices">
        {view.invoices.map((invoice) => (
          <li
            key={invoice.receivableId}
            className={invoice.dispute === null ? undefined : 'pay-left-out'}
          >
            <InvoiceDescription invoice={invoice} today={view.today} token={view.token} />
            <span className="pay-amount">{money(invoice.open, invoice.currency)}</span>
          </li>
        ))}
      </ul>
      <Totals view={view} />
    </section>
  )
}

/** Number, due date, what was paid, reference and the merchant's document of one invoice. */
export function InvoiceDescription({
  invoice,
  today,
  token,
  boxId,
}: {
  readonly invoice: PortalInvoice
  readonly today: Day
  readonly token: string
  /** Of the box that its number ticks. */
  readonly boxId?: string
}) {
  const { number, reference, currency, amount, open, dueDate, daysOverdue, url } = invoice
  const { dispute, promisedBy } = invoice
  const paid = amount - open
  return (
    <div>
      {boxId === undefined ? (
        <b dir="auto">{number}</b>
      ) : (
        <label htmlFor={boxId}>
          <b dir="auto">{number}</b>
        </label>
      )}
      {invoice.onItsWay && <span className="pay-chip">Payment on its way</span>}
      {dispute !== null && <span className="pay-chip">Disputed</span>}
      {dispute === null && promisedBy !== null && promisedBy >= today && (
        <span className="pay-chip">Promised by {shortDay(promisedBy)}</span>
      )}
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
      <p className="pay-link">
        {url !== null && (
          <a href={url} rel="noopener noreferrer">
            Invoice at {new URL(url).host}
          </a>
        )}
        {isDisputable(invoice) && (
          <a href={disputeAddress(token, invoice)}>
            Dispute<span className="sr-only"> {number}</span>
          </a>
        )}
      </p>
    </div>
  )
}

function Totals({ view: { owed, invoices } }: { readonly view: PortalView }) {
  const payable = invoices.filter(({ dispute }) => dispute === null)
  if (payable.length === 0) return null
  return (
    <p className="pay-total">
      <span>
        {countText(payable.length, 'invoice')}
        {payable.length < invoices.length && ' without dispute'}
      </span>
      <b>{listText(owed.map(({ open, currency }) => money(open, currency)))}</b>
    </p>
  )
}
