import { newId } from '../store/ids.ts'
import type { Price } from '../store/stripe-objects.ts'

type Interval = NonNullable<Price['recurring']>['interval']

type Chosen = Pick<
  Price,
  'id' | 'created' | 'currency' | 'lookup_key' | 'metadata' | 'nickname' | 'product'
> & {
  /** Minor units. */
  readonly amount: number
  readonly interval: Interval
  readonly intervalCount: number
}

/** An active price per unit and interval, billed in advance. */
export function recurringPrice({ amount, interval, intervalCount, ...chosen }: Chosen): Price {
  return {
    ...perUnit(amount),
    ...chosen,
    active: true,
    recurring: {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: 'recurring',
  } satisfies Price
}

/** The price of one line of a payment. It is not active, as Stripe makes it, and is not saved. */
export function oneTimePrice({
  amount,
  ...chosen
}: Pick<Price, 'created' | 'currency' | 'product'> & { readonly amount: number }): Price {
  return {
    ...perUnit(amount),
    ...chosen,
    id: newId('price'),
    active: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    recurring: null,
    type: 'one_time',
  } satisfies Price
}

/** `amount` is in minor units. */
function perUnit(amount: number) {
  return {
    object: 'price',
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: false,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  } as const satisfies Partial<Price>
}
