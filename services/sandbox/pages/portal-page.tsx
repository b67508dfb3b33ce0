import type { ReactNode } from 'react'
import { brand } from '#contracts/brand'
import { paidUntil } from '../billing/cancel-subscription.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type {
  Customer,
  Invoice,
  PaymentMethod,
  Price,
  Subscription,
} from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { CardFields, TestCards } from './card-fields.tsx'
import type { FieldErrors, TypedForm } from './card-form.ts'
import { everyInterval, formatDay, formatMoney, perInterval } from '../billing/format.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'
import { TimeScale } from './scale.tsx'

/** The data that the portal shows and changes. */
export interface PortalAccount {
  readonly portalId: string
  readonly backUrl: string
  /** Target of 'Go back': the plan, or the product if the link was created for this page. */
  readonly leaveUrl: string
  readonly now: number
  readonly customer: Customer
  readonly subscription: Subscription | null
  readonly method: PaymentMethod | null
  /** Newest first. */
  readonly invoices: readonly Invoice[]
}

const chips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  active: ['active', 'Active'],
  past_due: ['pending', 'Past due'],
  canceled: ['ended', 'Canceled'],
}
const invoiceChips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  paid: ['active', 'Paid'],
  open: ['failed', 'Unpaid'],
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
  const price = priceOf(subscription)
  const isEnded = subscription.ended_at !== null
  const isLeaving = !isEnded && subscription.cancel_at !== null
  const [kind, word] = isLeaving
    ? (['pending', 'Cancels at period end'] as const)
    : (chips[subscription.status] ?? (['open', subscription.status] as const))
  return (
    <section className="panel">
      <header>
        <h2>{nameOfPrice(price)}</h2>
        <span className={`chip chip-${kind}`}>{word}</span>
      </header>
      <div className="panel-body">
        <p className="portal-price">
          {formatMoney(price.unit_amount ?? 0, price.currency)} <small>{perInterval(price)}</small>
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
              const [kind, word] =
                invoiceChips[invoice.status ?? ''] ?? (['ended', invoice.status ?? ''] as const)
              return (
                <tr key={invoice.id}>
                  <td className="nowrap">{formatDay(invoice.created)}</td>
                  <td className="mono">{invoice.number}</td>
                  <td>
                    <span className={`chip chip-${kind}`}>{word}</span>
                  </td>
                  <td className="number">{formatMoney(invoice.total, invoice.currency)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </section>
  )
}

export function renderCancellation(account: PortalAccount, subscription: Subscription): string {
  const until = formatDay(paidUntil(subscription))
  return inFrame(account, `Cancel ${nameOfPrice(priceOf(subscription))}`, [
    <section className="panel" key="cancel">
      <div className="panel-body portal-question">
        <p>
          Your plan works until <b>{until}</b>, the end of the period that is paid for. Nothing more
          is charged. You can withdraw the cancellation until then.
        </p>
        <form
          className="portal-actions"
          method="post"
          action={`/portal/${account.portalId}/cancel`}
        >
          <button className="button button-risk" type="submit">
            Cancel plan
          </button>
          <a className="button button-line" href={account.leaveUrl}>
            Go back
          </a>
        </form>
      </div>
    </section>,
  ])
}

export function renderCardChange(
  account: PortalAccount,
  typed: {
    readonly form: TypedForm
    readonly errors: FieldErrors
    readonly decline: string | null
  },
): string {
  const price = account.subscription === null ? null : priceOf(account.subscription)
  return inFrame(account, 'Change card', [
    <section className="panel" key="card">
      <form
        className="panel-body card-form"
        method="post"
        action={`/portal/${account.portalId}/card`}
        noValidate
      >
        {typed.decline !== null && (
          <p className="error-box card-wide" role="alert">
            {typed.decline} The card was not saved. Try another one.
          </p>
        )}
        <CardFields form={typed.form} errors={typed.errors} isDeclined={typed.decline !== null} />
        <div className="portal-actions card-wide">
          <button className="button" type="submit">
            Save card
          </button>
          <a className="button button-line" href={account.leaveUrl}>
            Go back
          </a>
        </div>
        {price !== null && (
          <p className="fine-print card-wide">
            Nothing is charged now. The next charge {everyInterval(price)} goes to this card.
          </p>
        )}
      </form>
    </section>,
    <TestCards key="test-cards" />,
  ])
}

function inFrame(account: PortalAccount, heading: string, children: readonly ReactNode[]): string {
  return renderPage({
    title: `${heading} (sandbox)`,
    kind: 'portal',
    children: (
      <>
        <header className="portal-bar">
          <span className="logo">
            <LogoMark />
            {brand.name}
          </span>
          <BackLink href={account.backUrl} text="Back to your account" />
        </header>
        <main className="portal">
          <h1>{heading}</h1>
          {children}
        </main>
      </>
    ),
  })
}

function priceOf(subscription: Subscription): Price {
  const [item] = subscription.items.data
  if (!item) throw new DamagedStore(`The subscription ${subscription.id} has no item.`)
  return item.price
}

function brandName(brandId: string): string {
  const names: Readonly<Record<string, string>> = {
    visa: 'Visa',
    mastercard: 'Mastercard',
    amex: 'American Express',
  }
  return names[brandId] ?? 'Card'
}
