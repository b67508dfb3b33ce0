import type Stripe from 'stripe'
import { newId } from '../../store/ids.ts'
import type { Price } from '../../store/stripe-objects.ts'
import { productById, products } from '../catalogue.ts'
import { refuseTooLarge } from '../charge-limits.ts'
import { currentPrice, currentPrices } from '../current-price.ts'
import { recurringPrice } from '../prices.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { count, flag, integer, paging, paramsOf, text } from '../params.ts'
import { z } from 'zod'

const createPriceParams = paramsOf<Stripe.PriceCreateParams>()({
  currency: z.string().regex(/^[a-z]{3}$/i, 'must be a three-letter ISO code'),
  product: text,
  unit_amount: integer.pipe(z.number().min(0, 'must be at least 0')),
  recurring: z.strictObject({
    interval: z.enum(['month', 'year'], 'must be month or year: the sandbox supports no other'),
    interval_count: count.optional(),
  }),
  nickname: text.optional(),
})

export const catalogueOperations: readonly Operation[] = [
  reading(
    '/v1/prices',
    paramsOf<Stripe.PriceListParams>()({
      active: flag.optional(),
      currency: text.optional(),
      product: text.optional(),
      ...paging,
    }),
    async ({ tx, params }) => {
      const found = (await currentPrices(tx))
        .filter((price) => params.active === undefined || price.active === params.active)
        .filter((price) => params.currency === undefined || price.currency === params.currency)
        .filter((price) => params.product === undefined || price.product === params.product)
      return pageOf('price', '/v1/prices', found, params)
    },
  ),
  reading(
    '/v1/prices/:id',
    paramsOf<Stripe.PriceRetrieveParams>()({}),
    async ({ tx, id }) => (await currentPrice(tx, id)) ?? absent('price', id),
  ),
  changing('post', '/v1/prices', createPriceParams, async ({ tx, params }) => {
    if (productById(params.product) === null)
      throw missingReference('product', params.product, 'product')
    refuseTooLarge(params.unit_amount, params.currency, 'unit_amount')
    refuseLastDecimal(params)
    const price = newPrice(params, tx.now)
    await tx.add(price)
    await tx.emit('price.created', price)
    return price
  }),
  changing(
    'post',
    '/v1/prices/:id',
    paramsOf<Stripe.PriceUpdateParams>()({ active: flag.optional() }),
    async ({ tx, params, id }) => {
      const price = (await currentPrice(tx, id)) ?? absent('price', id)
      const { active = price.active } = params
      const changed = { ...price, active }
      if ((await tx.find('price', id)) === null) await tx.add(changed)
      else await tx.save(changed)
      if (active !== price.active) await tx.emit('price.updated', changed, price)
      return changed
    },
  ),
  reading(
    '/v1/products',
    paramsOf<Stripe.ProductListParams>()({
      active: flag.optional(),
      ids: z.array(text).optional(),
      ...paging,
    }),
    async ({ params }) => {
      const found = products
        .filter((product) => params.active === undefined || product.active === params.active)
        .filter((product) => params.ids === undefined || params.ids.includes(product.id))
      return pageOf('product', '/v1/products', found, params)
    },
  ),
  reading(
    '/v1/products/:id',
    paramsOf<Stripe.ProductRetrieveParams>()({}),
    async ({ id }) => productById(id) ?? absent('product', id),
  ),
]

/**
 * Card networks charge two decimals, so an amount in a currency with three decimals ends in 0.
 * Source: Stripe's documentation, "Supported currencies".
 */
function refuseLastDecimal({ currency, unit_amount }: z.infer<typeof createPriceParams>): void {
  const { maximumFractionDigits: decimals } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  if (decimals === 3 && unit_amount % 10 !== 0)
    throw invalid(`Invalid unit_amount: must end in 0 in ${currency}, a three-decimal currency.`, {
      param: 'unit_amount',
    })
}

function newPrice(params: z.infer<typeof createPriceParams>, now: number): Price {
  return recurringPrice({
    id: newId('price'),
    created: now,
    currency: params.currency.toLowerCase(),
    lookup_key: null,
    metadata: {},
    nickname: params.nickname ?? null,
    product: params.product,
    amount: params.unit_amount,
    interval: params.recurring.interval,
    intervalCount: params.recurring.interval_count ?? 1,
  })
}

function absent(what: string, id: string): never {
  throw missing(what, id)
}
