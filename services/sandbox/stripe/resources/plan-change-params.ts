import { z } from 'zod'
import type { PlanChange } from '../../billing/change-plan.ts'
import type { Price, Subscription } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { totalOf } from '../../billing/proration.ts'
import { refuseTooLarge } from '../charge-limits.ts'
import { currentPrice } from '../current-price.ts'
import { invalid, missingReference } from '../errors.ts'
import { count, integer, text } from '../params.ts'

/**
 * The parameters of a plan change, in a call that changes a subscription or previews an invoice.
 */
export const planChangeParams = {
  items: z
    .array(z.strictObject({ id: text, price: text.optional(), quantity: count.optional() }))
    .length(1, 'must have one item: the sandbox has one item per subscription')
    .optional(),
  proration_behavior: z.enum(['create_prorations', 'always_invoice', 'none']).optional(),
  proration_date: integer.optional(),
}
const schema = z.strictObject(planChangeParams)

/** The plan change that the parameters describe; null without items. @throws StripeRefusal */
export async function planChangeOf(
  tx: ReadTransaction,
  subscription: Subscription,
  params: z.infer<typeof schema>,
  prefix = '',
): Promise<PlanChange | null> {
  const named = (param: string): string =>
    prefix === '' ? param : `${prefix}[${param.replace('[', '][')}${param.includes('[') ? '' : ']'}`
  const [wanted] = params.items ?? []
  if (wanted === undefined) {
    if (params.proration_date !== undefined)
      throw invalid('proration_date needs items: only a plan change has prorations.', {
        param: named('proration_date'),
      })
    return null
  }
  const item = subscription.items.data.find(({ id }) => id === wanted.id)
  if (!item) throw missingReference('subscription_item', wanted.id, named('items[0][id]'))
  const prorationDate = params.proration_date ?? tx.now
  if (prorationDate < item.current_period_start || prorationDate > item.current_period_end)
    throw invalid(
      `Invalid proration_date: must be in the current period, from ${item.current_period_start} to ${item.current_period_end}.`,
      { param: named('proration_date') },
    )
  const price =
    wanted.price === undefined
      ? item.price
      : await sellablePrice(tx, wanted.price, subscription, named('items[0][price]'))
  const quantity = wanted.quantity ?? item.quantity ?? 1
  refuseTooLarge(totalOf({ price, quantity }), price.currency, named('items[0][quantity]'))
  return {
    price,
    quantity,
    prorationBehavior: params.proration_behavior ?? 'create_prorations',
    prorationDate,
  }
}

/** An active price in the subscription's currency. @throws StripeRefusal */
export async function sellablePrice(
  tx: ReadTransaction,
  id: string,
  { currency, items }: Subscription,
  param: string,
): Promise<Price> {
  const price = await currentPrice(tx, id)
  if (!price) throw missingReference('price', id, param)
  const isKept = items.data.some((item) => item.price.id === id)
  if (!price.active && !isKept)
    throw invalid(
      `The price specified is inactive. This field only accepts active prices. (${id})`,
      { param },
    )
  if (price.currency !== currency)
    throw invalid(
      `The price ${id} is in ${price.currency}, but the subscription is in ${currency}. A subscription has one currency.`,
      { param },
    )
  return price
}
