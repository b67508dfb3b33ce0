import type Stripe from 'stripe'
import { z } from 'zod'
import { randomText } from '../../store/ids.ts'
import type { Coupon, Subscription } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { refuseTooLarge } from '../charge-limits.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  count,
  created,
  emptyable,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

const percentage = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, 'must be a number with at most two decimals')
  .transform(Number)
  .pipe(z.number().gt(0, 'must be above 0').max(100, 'must be at most 100'))

const createParams = paramsOf<Stripe.CouponCreateParams>()({
  id: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be letters, digits, - and _')
    .optional(),
  amount_off: count.optional(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/i, 'must be a three-letter ISO code')
    .optional(),
  duration: z
    .enum(['once', 'forever'], 'must be once or forever: the sandbox supports no other')
    .optional(),
  metadata: emptyable(metadata).optional(),
  name: z.string().min(1).max(40, 'is longer than 40 characters').optional(),
  percent_off: percentage.optional(),
})

/** A subscription's discounts. Stripe allows several. */
export const discountsParam = emptyable(
  z
    .array(z.strictObject({ coupon: text }))
    .length(1, 'must have one coupon: the sandbox has one discount per subscription'),
)

export const couponOperations: readonly Operation[] = [
  changing('post', '/v1/coupons', createParams, async ({ tx, params }) => {
    const coupon = newCoupon(params, tx.now)
    if (await tx.find('coupon', coupon.id))
      throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
    await tx.add(coupon)
    await tx.emit('coupon.created', coupon)
    return coupon
  }),
  reading(
    '/v1/coupons',
    paramsOf<Stripe.CouponListParams>()({ ...paging, created: created.optional() }),
    ({ tx, params }) => listPage(tx, 'coupon', '/v1/coupons', params, []),
  ),
  reading('/v1/coupons/:id', paramsOf<Stripe.CouponRetrieveParams>()({}), async ({ tx, id }) => {
    const coupon = await tx.find('coupon', id)
    if (!coupon) throw missing('coupon', id)
    return coupon
  }),
]

function newCoupon(params: z.infer<typeof createParams>, now: number): Coupon {
  const { amount_off, percent_off, currency } = params
  if ((amount_off === undefined) === (percent_off === undefined))
    throw invalid('You must pass either amount_off or percent_off.', {
      param: amount_off === undefined ? 'percent_off' : 'amount_off',
    })
  if (amount_off !== undefined && currency === undefined)
    throw invalid('You must pass currency when passing amount_off.', { param: 'currency' })
  if (amount_off !== undefined && currency !== undefined)
    refuseTooLarge(amount_off, currency, 'amount_off')
  return {
    id: params.id ?? randomText(8),
    object: 'coupon',
    amount_off: amount_off ?? null,
    created: now,
    currency: amount_off === undefined ? null : (currency?.toLowerCase() ?? null),
    duration: params.duration ?? 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    percent_off: percent_off ?? null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  } satisfies Coupon
}

/** The coupon that the subscription redeems; null to remove its discount. @throws StripeRefusal */
export async function redeemableCoupon(
  tx: ReadTransaction,
  { currency, default_tax_rates: rates }: Subscription,
  given: z.infer<typeof discountsParam>,
): Promise<Coupon | null> {
  if (given === '') return null
  const id = given[0]?.coupon ?? ''
  const param = 'discounts[0][coupon]'
  const coupon = await tx.find('coupon', id)
  if (!coupon) throw missingReference('coupon', id, param)
  if (coupon.currency !== null && coupon.currency !== currency)
    throw invalid(
      `The coupon ${id} is in ${coupon.currency}, but the subscription is in ${currency}.`,
      { param },
    )
  if (rates?.some(({ inclusive }) => inclusive))
    throw invalid('The sandbox does not simulate a discount with an inclusive tax rate.', { param })
  return coupon
}
