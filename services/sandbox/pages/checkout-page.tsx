import { brand } from '#contracts/brand/brand'
import { periodEnd } from '../billing/periods.ts'
import type { CheckoutSession, Price } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { CardFields, TestCards } from './card-fields.tsx'
import type { FieldErrors, TypedForm } from './card-form.ts'
import {
  everyInterval,
  formatDay,
  formatMoney,
  formatShortDay,
  formatTime,
  perInterval,
} from '../billing/format.ts'
import { renderPage } from './page.tsx'
import { BackLink } from './parts.tsx'
import { TimeScale } from './scale.tsx'

interface CheckoutView {
  readonly session: CheckoutSession
  readonly price: Price
  readonly quantity: number
  readonly now: number
  readonly today: number
  readonly form: TypedForm
  readonly errors: FieldErrors
  /** The reason of a declined card. */
  readonly decline: string | null
  readonly backUrl: string
}

export function renderCheckout(view: CheckoutView): string {
  return renderPage({
    title: `${view.decline !== null || Object.keys(view.errors).length > 0 ? 'Not paid yet: ' : ''}Subscribe to ${nameOfPrice(view.price)} (sandbox)`,
    kind: 'checkout',
    children: (
      <main className="checkout">
        <Order {...view} />
        <Payment {...view} />
      </main>
    ),
  })
}

function Order({ session, price, quantity, now, backUrl }: CheckoutView) {
  const total = formatMoney(session.amount_total ?? 0, session.currency ?? price.currency)
  const name = nameOfPrice(price)
  return (
    <section className="checkout-order">
      <div>
        <BackLink href={backUrl} />
        <h1>Subscribe to {name}</h1>
        <p className="checkout-price">
          {total} <small>{perInterval(price)}</small>
        </p>
        <dl className="checkout-lines">
          <div>
            <dt>
              {name}
              {quantity > 1 && ` × ${quantity}`}
              <small>
                Billed {everyInterval(price)} from {formatDay(now)}
              </small>
            </dt>
            <dd>{total}</dd>
          </div>
          <div>
            <dt>Subtotal</dt>
            <dd>{total}</dd>
          </div>
          <div className="checkout-total">
            <dt>Total due today</dt>
            <dd>{total}</dd>
          </div>
        </dl>
        <Charges price={price} now={now} total={total} />
        <p className="checkout-until">
          This page can be paid until {formatDay(session.expires_at)},{' '}
          {formatTime(session.expires_at)} UTC.
        </p>
      </div>
    </section>
  )
}

/** Today's charge and the next two charges on a time scale. */
function Charges({
  price,
  now,
  total,
}: {
  readonly price: Price
  readonly now: number
  readonly total: string
}) {
  const next = periodEnd(now, now, price)
  const last = periodEnd(now, next, price)
  const named = (at: number): string =>
    last - now > 300 * 86_400 ? formatDay(at) : formatShortDay(at)
  return (
    <div className="checkout-charges">
      <TimeScale
        from={now}
        to={last}
        marks={[now, next, last].map((at) => ({ at, isNow: at === now }))}
        label={`Charged today, then on ${named(next)} and ${named(last)}, ${total} each time`}
      />
      <div className="checkout-dates" aria-hidden="true">
        {['Today', named(next), named(last)].map((when) => (
          <p key={when}>
            <b>{when}</b>
            {total}
          </p>
        ))}
      </div>
    </div>
  )
}

function Payment({ session, price, now, today, form, errors, decline }: CheckoutView) {
  return (
    <section className="checkout-payment">
      <div>
        <h2>Pay with card</h2>
        <form className="card-form" method="post" action={`/checkout/${session.id}`} noValidate>
          {decline !== null && (
            <p className="error-box card-wide" role="alert">
              {decline} Nothing was charged. Try another card.
            </p>
          )}
          <CardFields form={form} errors={errors} isDeclined={decline !== null} />
          <button className="button button-go button-lg card-wide" type="submit">
            Pay
          </button>
          <p className="fine-print card-wide">
            By paying you allow {brand.name} to charge this card {everyInterval(price)} until you
            cancel.
          </p>
        </form>
        <TestCards now={now} today={today} />
      </div>
    </section>
  )
}
