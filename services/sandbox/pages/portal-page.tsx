import { brand } from '#contracts/brand/brand'
import { paidUntil } from '../billing/cancel-subscription.ts'
import { retryAfterDays } from '../billing/collect-invoice.ts'
import { formatDay, formatMoney, perInterval } from '../billing/format.ts'
import type { Invoice, Price, Subscription } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { invoiceChip } from './invoice-chip.ts'
import { cardInWords, inFrame, itemOf, type PortalAccount } from './portal-frame.tsx'
import { planInWords } from './portal-plan-pages.tsx'
import { TimeScale } from './scale.tsx'

const chips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  active: ['active', 'Active'],
  past_due: ['pending', 'Past due'],
  canceled: ['ended', 'Canceled'],
}

/** Another plan can replace an active plan that is not paused and not set to end. */
export function canChangePlan({ configuration, subscription }: PortalAccount): boolean {
  return (
    configuration.features.subscription_update.enabled &&
    subscription?.status === 'active' &&
    subscription.ended_at === null &&
    subscription.cancel_at === null &&
    subscription.pause_collection === null
  )
}

/** `news` is the result of the form that the customer sent. */
export function renderPortal(account: PortalAccount, news: string | null = null): string {
  return inFrame(account, 'Your plan', [
    news !== null && (
      <p className="portal-news" role="status" key="news">
        {news}
      </p>
    ),
    account.subscription === null ? (
      <section className="panel" key="plan">
        <p className="portal-empty">You have no plan. Subscribe on {brand.name} to get one.</p>
      </section>
    ) : (
      <PlanPanel key="plan" account={account} subscription={account.subscription} />
    ),
    account.configuration.features.invoice_history.enabled && (
      <PaymentsPanel key="payments" invoices={account.invoices} />
    ),
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
  const { features } = account.configuration
  const isEnded = subscription.ended_at !== null
  const isLeaving = !isEnded && subscription.cancel_at !== null
  const [kind, word] = isLeaving
    ? (['pending', 'Cancels at period end'] as const)
    : subscription.pause_collection !== null && !isEnded
      ? (['pending', 'Payments paused'] as const)
      : !isEnded && account.pendingChange !== null
        ? (['pending', 'Plan change pending'] as const)
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
        <Descriptions account={account} subscription={subscription} />
        {account.pendingChange !== null && <Pending account={account} current={price} />}
      </div>
      {!isEnded && (
        <footer className="portal-actions">
          {canChangePlan(account) && (
            <a className="button" href={`/portal/${account.portalId}/plan`}>
              Change plan
            </a>
          )}
          {features.payment_method_update.enabled && (
            <a className="button button-line" href={`/portal/${account.portalId}/card`}>
              Change card
            </a>
          )}
          {isLeaving ? (
            <form method="post" action={`/portal/${account.portalId}/keep`}>
              <button className="button" type="submit">
                Keep plan
              </button>
            </form>
          ) : features.subscription_cancel.enabled ? (
            <a className="button button-risk" href={`/portal/${account.portalId}/cancel`}>
              Cancel plan
            </a>
          ) : null}
        </footer>
      )}
    </section>
  )
}

/** The change that a schedule makes later, and the way to keep the current plan. */
function Pending({
  account: { pendingChange, portalId },
  current,
}: {
  readonly account: PortalAccount
  readonly current: Price
}) {
  if (pendingChange === null) return null
  return (
    <form className="portal-pending" method="post" action={`/portal/${portalId}/keep-plan`}>
      <p>
        <b>
          {nameOfPrice(pendingChange.price)} from {formatDay(pendingChange.at)}.
        </b>{' '}
        You are charged {planInWords(pendingChange)} from that day. Your {nameOfPrice(current)}{' '}
        stays until then.
      </p>
      <button className="button button-line" type="submit">
        Keep {nameOfPrice(current)}
      </button>
    </form>
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

function Descriptions({
  account: { method, customer },
  subscription,
}: {
  readonly account: PortalAccount
  readonly subscription: Subscription
}) {
  return (
    <dl className="descriptions">
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
            ? `${cardInWords(method)}, expires ${String(method.card.exp_month).padStart(2, '0')} / ${method.card.exp_year}`
            : 'None'}
        </dd>
      </div>
      {customer.balance < 0 && (
        <div>
          <dt>Credit</dt>
          <dd>
            {formatMoney(-customer.balance, subscription.currency)}, which pays your next charges
          </dd>
        </div>
      )}
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
                  <td className="number">{formatMoney(chargedBy(invoice), invoice.currency)}</td>
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

/** The amount without what a credit paid; a credit is negative. */
function chargedBy({ total, amount_due }: Invoice): number {
  return total < 0 ? total : amount_due
}
