import { brand } from '#contracts/brand/brand'
import {
  everyInterval,
  formatDay,
  formatMoney,
  formatShortDay,
  perInterval,
} from '../billing/format.ts'
import { periodEnd } from '../billing/periods.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Price } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { renderCheckoutFrame, type CheckoutView } from './checkout-frame.tsx'
import { TimeScale } from './scale.tsx'

/** The checkout of a plan. */
export function renderPlanCheckout(view: CheckoutView): string {
  const { session, now } = view
  const [item] = session.sandbox.lineItems
  const { price, quantity } = item ?? {}
  if (!price) throw new DamagedStore(`The checkout ${session.id} has no price.`)
  const name = nameOfPrice(price)
  const total = session.amount_total ?? 0
  return renderCheckoutFrame({
    view,
    heading: `Subscribe to ${name}`,
    per: perInterval(price),
    lines: [
      {
        name: (quantity ?? 1) > 1 ? `${name} × ${quantity}` : name,
        note: `Billed ${everyInterval(price)} from ${formatDay(now)}`,
        amount: total,
      },
    ],
    totalLabel: 'Total due today',
    outlook: <Charges price={price} now={now} total={formatMoney(total, price.currency)} />,
    consent: `By paying you allow ${brand.name} to charge this card ${everyInterval(price)} until you cancel.`,
  })
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
