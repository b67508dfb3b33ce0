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
    ...chosen,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: false,
    recurring: {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  } satisfies Price
}
