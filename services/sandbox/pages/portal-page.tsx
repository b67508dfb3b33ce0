import { brand } from '#contracts/brand'
import { paidUntil } from '../billing/cancel-subscription.ts'
import { retryAfterDays } from '../billing/collect-invoice.ts'
import { formatDay, formatMoney, perInterval } from '../billing/format.ts'
import type { Invoice, Subscription } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { invoiceChip } from './invoice-chip.ts'
import { inFrame, itemOf, type PortalAccount } from './portal-frame.tsx'
import { TimeScale } from './scale.tsx'

const chips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  active: ['active', 'Active'],
  past_due: ['pending', 'Past due'],
  canceled: ['ended', 'Canceled'],
}

export function renderPortal(account: PortalAccount): string {
  return inFrame(account, 'Your plan', [
    account.subscription === null ? (
      <section className="panel" key="plan">
        <p className="portal-empty">You have no plan. Subscribe on {brand.name} to get one.</p>
      </section>
    ) : (
      <PlanPanel key="plan" account={account} subscription={account.subscription} />
    ),
    <PaymentsPanel key="payments" invoices={account.invoices} />,
  ])
}

function PlanPanel({
  account,
  subscription,
}: {
  readonly account: PortalAccount
  readonly subscription: Subscription
}) {
  const { price, quantity = 1 } = itemOf(subscription)
  const isEnded = subscription.ended_at !== null
  const isLeaving = !isEnded && subscription.cancel_at !== null
  const [kind, word] = isLeaving
    ? (['pending', 'Cancels at period end'] as const)
    : subscription.pause_collection !== null && !isEnded
      ? (['pending', 'Payments paused'] as const)
      : (chips[subscription.status] ?? (['open', subscription.status] as const))
  return (
    <section className="panel">
      <header>
        <h2>{nameOfPrice(price)}</h2>
        <span className={`chip chip-${kind}`}>{word}</span>
      </header>
      <div className="panel-body">
        <p className="portal-price">
          {formatMoney((price.unit_amount ?? 0) * quantity, price.currency)}{' '}
          <small>{perInterval(price)}</small>
        </p>
        {!isEnded && <Period subscription={subscription} now={account.now} />}
        <Facts account={account} subscription={subscription} />
      </div>
      {!isEnded && (
        <footer className="portal-actions">
          <a className="button button-line" href={`/portal/${account.portalId}/card`}>
            Change card
          </a>
          {isLeaving ? (
            <form method="post" action={`/portal/${account.portalId}/keep`}>
              <button className="button" type="submit">
                Keep plan
              </button>
            </form>
          ) : (
            <a className="button button-risk" href={`/portal/${account.portalId}/cancel`}>
              Cancel plan
            </a>
          )}
        </footer>
      )}
    </section>
  )
}

function Period({
  subscription,
  now,
}: {
  readonly subscription: Subscription
  readonly now: number
}) {
  const from = subscription.items.data[0]?.current_period_start ?? subscription.start_date
  const to = paidUntil(subscription)
  return (
    <div className="portal-period">
      <TimeScale
        from={from}
        to={to}
        passedUntil={now}
        marks={[{ at: now, isNow: true }]}
        label={`Billing period from ${formatDay(from)} to ${formatDay(to)}; today is ${formatDay(now)}`}
      />
      <p aria-hidden="true">
        <span>{formatDay(from)}</span>
        <span>{formatDay(to)}</span>
      </p>
    </div>
  )
}

function Facts({
  account: { method, customer },
  subscription,
}: {
  readonly account: PortalAccount
  readonly subscription: Subscription
}) {
  return (
    <dl className="facts">
      <div>
        <dt>
          {subscription.ended_at !== null
            ? 'Ended on'
            : subscription.cancel_at !== null
              ? 'Ends on'
              : 'Next charge'}
        </dt>
        <dd>
          {formatDay(subscription.ended_at ?? subscription.cancel_at ?? paidUntil(subscription))}
        </dd>
      </div>
      <div>
        <dt>Card</dt>
        <dd>
          {method?.card
            ? `${brandName(method.card.brand)} ending ${method.card.last4}, expires ${String(method.card.exp_month).padStart(2, '0')} / ${method.card.exp_year}`
            : 'None'}
        </dd>
      </div>
      <div>
        <dt>Billed to</dt>
        <dd>{customer.name ?? customer.email ?? 'You'}</dd>
      </div>
    </dl>
  )
}

function PaymentsPanel({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <section className="panel">
      <header>
        <h2>Payments</h2>
      </header>
      {invoices.length === 0 ? (
        <p className="portal-empty">Nothing was charged yet.</p>
      ) : (
        <table className="portal-table">
          <thead>
            <tr>
              <th>Date</th>
              <th>Number</th>
              <th>Status</th>
              <th className="number">Amount</th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => {
              const [kind, word] = invoiceChip(invoice)
              return (
                <tr key={invoice.id}>
                  <td className="nowrap">{formatDay(invoice.created)}</td>
                  <td className="mono">
                    {invoice.number !== null && (
                      <a href={`/invoice/${invoice.id ?? ''}`}>{invoice.number}</a>
                    )}
                  </td>
                  <td>
                    <span className={`chip chip-${kind}`}>{word}</span>
                    {invoice.next_payment_attempt !== null && (
                      <small> Next attempt {formatDay(invoice.next_payment_attempt)}</small>
                    )}
                  </td>
                  <td className="number">{formatMoney(invoice.total, invoice.currency)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {invoices.some(({ status }) => status === 'open') && <RetryCalendar />}
    </section>
  )
}

function RetryCalendar() {
  const [first, ...others] = retryAfterDays
  return (
    <p className="portal-empty">
      A failed payment is tried again {first} days later, then {others.join(' and ')} days after
      each further failure. After the last failure the plan ends, and the invoice stays unpaid.
    </p>
  )
}

function brandName(brandId: string): string {
  const names: Readonly<Record<string, string>> = {
    visa: 'Visa',
    mastercard: 'Mastercard',
    amex: 'American Express',
  }
  return names[brandId] ?? 'Card'
}
