import { paidUntil } from '../billing/cancel-subscription.ts'
import { formatDay, formatMoney, perInterval } from '../billing/format.ts'
import type { Offer, Quote } from '../billing/portal-plan-change.ts'
import { totalOf, type PricedItem } from '../billing/proration.ts'
import type { Invoice, Subscription } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { inFrame, itemOf, cardInWords, type PortalAccount } from './portal-frame.tsx'
import { TimeScale } from './scale.tsx'

/** Why the confirmation did not change the plan. */
export type Problem =
  | { readonly kind: 'declined'; readonly message: string }
  | { readonly kind: 'quote changed' }

/** The offered plans. A link that names this page redirects back to the product. */
export function renderPlans(
  account: PortalAccount,
  subscription: Subscription,
  offers: readonly Offer[],
): string {
  const { price: current } = itemOf(subscription)
  const isPending = ({ price }: Offer): boolean => price.id === account.pendingChange?.price.id
  const selectable = offers.filter((offer) => offer.price.id !== current.id && !isPending(offer))
  const [first] = selectable
  return inFrame(account, 'Change plan', [
    <section className="panel" key="plans">
      <form method="get" action={`/portal/${account.portalId}/plan/confirm`}>
        <fieldset className="portal-plans">
          <legend className="sr-only">Plans</legend>
          {offers.map((offer) => (
            <PlanRow
              key={offer.price.id}
              offer={offer}
              note={noteOf(offer, account, subscription)}
              selection={
                offer.price.id === current.id
                  ? 'current'
                  : isPending(offer)
                    ? 'pending'
                    : offer === first
                      ? 'first'
                      : 'other'
              }
            />
          ))}
        </fieldset>
        <footer className="portal-actions">
          {selectable.length > 0 ? (
            <button className="button" type="submit">
              Continue
            </button>
          ) : (
            <p className="portal-none">No other plan is offered.</p>
          )}
          <a className="button button-line" href={account.leaveUrl}>
            Go back
          </a>
        </footer>
      </form>
    </section>,
    selectable.length > 0 && (
      <p className="fine-print" key="note">
        The next page shows the amount. Nothing is charged before you confirm it.
      </p>
    ),
  ])
}

function PlanRow({
  offer,
  note,
  selection,
}: {
  readonly offer: Offer
  readonly note: string
  readonly selection: 'current' | 'pending' | 'first' | 'other'
}) {
  const isSelectable = selection === 'first' || selection === 'other'
  const Row = isSelectable ? 'label' : 'div'
  return (
    <Row className="portal-plan">
      {isSelectable ? (
        <input
          type="radio"
          name="price"
          value={offer.price.id}
          required
          defaultChecked={selection === 'first'}
        />
      ) : (
        <span className="portal-plan-none" aria-hidden="true" />
      )}
      <span className="portal-plan-name">
        <b>{nameOfPrice(offer.price)}</b>
        <small>{note}</small>
      </span>
      <span className="portal-plan-price">
        {selection === 'current' && <span className="chip chip-active">Current plan</span>}
        {selection === 'pending' && <span className="chip chip-pending">Plan change pending</span>}
        <span>
          <b>{formatMoney(totalOf(offer), offer.price.currency)}</b>{' '}
          <small>{perInterval(offer.price)}</small>
        </span>
      </span>
    </Row>
  )
}

function noteOf(offer: Offer, account: PortalAccount, subscription: Subscription): string {
  const { price } = itemOf(subscription)
  if (offer.price.id === price.id)
    return account.pendingChange === null
      ? `Renews on ${formatDay(paidUntil(subscription))}`
      : `Ends on ${formatDay(account.pendingChange.at)}`
  return offer.startsAtPeriodEnd
    ? `Starts on ${formatDay(paidUntil(subscription))}, when your ${nameOfPrice(price)} ends`
    : 'Starts today'
}

/** The amount of a plan change or its date, before the customer confirms it. */
export function renderConfirmation(
  account: PortalAccount,
  quote: Quote,
  problem: Problem | null,
): string {
  const { subscription, portalId } = account
  if (subscription === null) throw new Error('A plan change needs a subscription.')
  const name = nameOfPrice(quote.price)
  const isFlow = account.leaveUrl !== `/portal/${portalId}`
  return inFrame(account, `Change to ${name}`, [
    <section className="panel" key="quote">
      <div className="panel-body">
        {problem !== null && (
          <p className="error-box portal-problem" role="alert">
            {problem.kind === 'declined' ? (
              <>
                {problem.message} Your plan has not changed, and nothing was charged.{' '}
                <a href={`/portal/${portalId}/card`}>Change your card</a>, then try again.
              </>
            ) : (
              'The amount has changed since the page was loaded, and nothing was charged. Check the amount below and confirm it.'
            )}
          </p>
        )}
        {quote.startsAtPeriodEnd ? (
          <Later account={account} subscription={subscription} quote={quote} />
        ) : (
          <Now account={account} subscription={subscription} quote={quote} />
        )}
        <form className="portal-actions" method="post" action={`/portal/${portalId}/plan`}>
          <input type="hidden" name="price" value={quote.price.id} />
          <input type="hidden" name="prorationDate" value={quote.prorationDate} />
          <input type="hidden" name="dueNow" value={quote.dueNow} />
          <input type="hidden" name="startsAtPeriodEnd" value={String(quote.startsAtPeriodEnd)} />
          <button className={quote.dueNow > 0 ? 'button button-go' : 'button'} type="submit">
            {quote.dueNow > 0
              ? `Pay ${formatMoney(quote.dueNow, quote.price.currency)} and change plan`
              : quote.startsAtPeriodEnd
                ? `Change on ${formatDay(paidUntil(subscription))}`
                : 'Change plan'}
          </button>
          <a
            className="button button-line"
            href={isFlow && account.namesPlan ? account.leaveUrl : `/portal/${portalId}/plan`}
          >
            Go back
          </a>
        </form>
      </div>
    </section>,
  ])
}

interface QuoteProps {
  readonly account: PortalAccount
  readonly subscription: Subscription
  readonly quote: Quote
}

function Now({ account, subscription, quote }: QuoteProps) {
  const { invoice, dueNow, price } = quote
  const money = (amount: number): string => formatMoney(amount, price.currency)
  const isInvoicedNow = invoice?.billing_reason === 'subscription_update'
  const renewal = renewalOf(subscription, quote)
  return (
    <>
      <p className="portal-price">
        {money(dueNow)} <small>due now</small>
      </p>
      {invoice !== null && <Lines invoice={invoice} isNow={isInvoicedNow} />}
      <p className="portal-effect">
        <b>{nameOfPrice(price)}</b> starts today and replaces your{' '}
        {nameOfPrice(itemOf(subscription).price)}.{' '}
        {dueNow > 0
          ? `Your ${cardInWords(account.method)} is charged ${money(dueNow)} when you confirm. `
          : 'Nothing is charged when you confirm. '}
        {invoice !== null && isInvoicedNow && (invoice.ending_balance ?? 0) < 0
          ? `${money(-(invoice.ending_balance ?? 0))} remains as credit and pays your next charges. `
          : ''}
        {`${nameOfPrice(price)} renews on ${formatDay(renewal)} for ${money(totalOf(quote))}.`}
        {account.pendingChange !== null &&
          ` The change to ${nameOfPrice(account.pendingChange.price)} on ${formatDay(account.pendingChange.at)} is dropped.`}
      </p>
    </>
  )
}

/** The end of the period that the change begins, or of the current period. */
function renewalOf(subscription: Subscription, { invoice }: Quote): number {
  const period = invoice?.lines.data.find(
    ({ parent }) => parent?.subscription_item_details?.proration === false,
  )?.period
  return invoice?.billing_reason === 'subscription_update' && period !== undefined
    ? period.end
    : paidUntil(subscription)
}

function Lines({ invoice, isNow }: { readonly invoice: Invoice; readonly isNow: boolean }) {
  const money = (amount: number): string => formatMoney(amount, invoice.currency)
  const balance = invoice.amount_due - invoice.total
  return (
    <dl className="portal-lines">
      {invoice.lines.data.map((line) => (
        <div key={line.id}>
          <dt>
            {line.description}
            <small>
              {formatDay(line.period.start)} to {formatDay(line.period.end)}
            </small>
          </dt>
          <dd>{money(line.amount)}</dd>
        </div>
      ))}
      {balance !== 0 && (
        <div>
          <dt>{invoice.total < 0 ? 'Kept as credit' : 'Paid from your credit'}</dt>
          <dd>{money(balance)}</dd>
        </div>
      )}
      <div className="portal-lines-total">
        <dt>{isNow ? 'Due now' : `Due on ${formatDay(invoice.created)}`}</dt>
        <dd>{money(invoice.amount_due)}</dd>
      </div>
    </dl>
  )
}

function Later({ account, subscription, quote }: QuoteProps) {
  const item = itemOf(subscription)
  const [from, to] = [item.current_period_start, paidUntil(subscription)]
  const current = nameOfPrice(item.price)
  const { pendingChange } = account
  return (
    <>
      <p className="portal-price">
        {formatMoney(totalOf(quote), quote.price.currency)}{' '}
        <small>
          {perInterval(quote.price)} from {formatDay(to)}
        </small>
      </p>
      <div className="portal-period">
        <TimeScale
          from={from}
          to={to}
          passedUntil={account.now}
          marks={[
            { at: account.now, isNow: true },
            { at: to, isNow: false },
          ]}
          label={`${current} until ${formatDay(to)}, then ${nameOfPrice(quote.price)}; today is ${formatDay(account.now)}`}
        />
        <p aria-hidden="true">
          <span>{current}</span>
          <span>
            {nameOfPrice(quote.price)} from {formatDay(to)}
          </span>
        </p>
      </div>
      <p className="portal-effect">
        Nothing is charged now. Your <b>{current}</b> stays until <b>{formatDay(to)}</b>, the end of
        the period that is paid for. <b>{nameOfPrice(quote.price)}</b> starts on that day. You can
        withdraw the change until then.
        {pendingChange !== null &&
          ` The change to ${nameOfPrice(pendingChange.price)} on ${formatDay(pendingChange.at)} is dropped.`}
      </p>
    </>
  )
}

export function planInWords({ price, quantity }: PricedItem): string {
  return `${formatMoney(totalOf({ price, quantity }), price.currency)} ${perInterval(price)}`
}
