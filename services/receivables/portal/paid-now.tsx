import type { PaidNow } from './paid-of.ts'
import { saidId } from './portal-said.ts'
import { money, type PortalView } from './portal-view.ts'

/** The answer to the client who comes back from the payment page. */
export function PaidNowPanel({
  view,
  paid,
}: {
  readonly view: PortalView
  readonly paid: PaidNow
}) {
  const { merchant, invoices } = view
  if (paid.kind === 'submitted')
    return (
      <p className="pay-said" id={saidId} role="status" tabIndex={-1} dir="auto">
        {money(paid.amount, paid.currency)} is on its way to {merchant.name}. A bank needs some
        days; nothing more is to do.
      </p>
    )
  return (
    <section className="panel pay-done" id={saidId} role="status" tabIndex={-1}>
      <div className="pay-done-head">
        <i className="mark-done" aria-hidden="true" />
        <div>
          <h2>{money(paid.amount, paid.currency)} paid</h2>
          <p>
            {paid.at}, {paid.means}. {invoices.length === 0 && `You owe ${merchant.name} nothing. `}
            {invoices.length === 0
              ? 'Reminders have stopped.'
              : 'Reminders of what is paid have stopped.'}
          </p>
        </div>
      </div>
      <ul className="pay-paid">
        {paid.items.map(({ number, reference, amount }) => (
          <li key={number}>
            <i className="mark-paid" aria-hidden="true" />
            <div dir="auto">
              {number}
              {reference !== null && <small>{reference}</small>}
            </div>
            <span className="pay-amount">{money(amount, paid.currency)}</span>
          </li>
        ))}
        <li className="pay-sum-row">
          <span />
          <div dir="auto">Paid to {merchant.name}</div>
          <span className="pay-amount">{money(paid.amount, paid.currency)}</span>
        </li>
      </ul>
    </section>
  )
}
