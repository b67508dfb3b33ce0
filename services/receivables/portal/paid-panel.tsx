import { longDay } from './portal-words.ts'
import { money, type PortalView } from './portal-view.ts'

/** The payments of 12 months. */
export function PaidPanel({ view: { payments, token, today } }: { readonly view: PortalView }) {
  return (
    <section className="panel" aria-labelledby="paid">
      <header>
        <h2 id="paid">Paid</h2>
        <a className="pay-file" href={`/pay/${token}/statement.pdf`}>
          Statement, PDF
        </a>
      </header>
      {payments.length === 0 ? (
        <p className="pay-none">No payment in the last 12 months.</p>
      ) : (
        <ul className="pay-paid">
          {payments.map((payment, index) => (
            // Two payments of one day can be equal; their order does not change.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <i className={payment.amount < 0 ? 'mark-back' : 'mark-paid'} aria-hidden="true" />
              <div>
                {longDay(payment.day)}
                <small dir="auto">
                  {payment.number}, {payment.text.toLowerCase()}
                </small>
                {payment.receipt !== null && (
                  <a className="pay-file" href={receiptPath(token, payment.receipt)}>
                    Receipt, PDF
                    <span className="sr-only">
                      {' '}
                      of {money(payment.amount, payment.currency)} on {longDay(payment.day)}
                    </span>
                  </a>
                )}
              </div>
              <span className="pay-amount">{money(payment.amount, payment.currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <details className="pay-past-day">
        <summary>Statement of a past day</summary>
        <form method="get" action={`/pay/${token}/statement.pdf`}>
          <label className="pay-field">
            <span>Day</span>
            <input type="date" name="asOf" max={today} required />
          </label>
          <button className="pay-second" type="submit">
            Statement of this day, PDF
          </button>
        </form>
      </details>
    </section>
  )
}

function receiptPath(
  token: string,
  { receivableId, paymentId }: NonNullable<PortalView['payments'][number]['receipt']>,
): string {
  const query = new URLSearchParams({ invoice: receivableId, payment: paymentId })
  return `/pay/${token}/receipt.pdf?${query.toString()}`
}
