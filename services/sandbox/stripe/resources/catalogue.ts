import type Stripe from 'stripe'
import { prices, productById, products } from '../catalogue.ts'
import type { Price } from '../../store/stripe-objects.ts'
import { currentPrice } from '../current-price.ts'
import { missing } from '../errors.ts'
import { wholeList } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { flag, integer, paramsOf, text } from '../params.ts'
import { z } from 'zod'

const limit = integer.pipe(z.number().min(1).max(100)).optional()

export const catalogueOperations: readonly Operation[] = [
  reading(
    '/v1/prices',
    paramsOf<Stripe.PriceListParams>()({
      active: flag.optional(),
      currency: text.optional(),
      product: text.optional(),
      limit,
    }),
    async ({ tx, params }) => {
      const current: Price[] = []
      for (const price of prices) current.push((await currentPrice(tx, price.id)) ?? price)
      const found = current
        .filter((price) => params.active === undefined || price.active === params.active)
        .filter((price) => params.currency === undefined || price.currency === params.currency)
        .filter((price) => params.product === undefined || price.product === params.product)
      return firstPage('/v1/prices', found, params.limit)
    },
  ),
  reading(
    '/v1/prices/:id',
    paramsOf<Stripe.PriceRetrieveParams>()({}),
    async ({ tx, id }) => (await currentPrice(tx, id)) ?? absent('price', id),
  ),
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
      if (active !== price.active) await tx.emit('price.updated', changed, { active: price.active })
      return changed
    },
  ),
  reading(
    '/v1/products',
    paramsOf<Stripe.ProductListParams>()({
      active: flag.optional(),
      ids: z.array(text).optional(),
      limit,
    }),
    async ({ params }) => {
      const found = products
        .filter((product) => params.active === undefined || product.active === params.active)
        .filter((product) => params.ids === undefined || params.ids.includes(product.id))
      return firstPage('/v1/products', found, params.limit)
    },
  ),
  reading(
    '/v1/products/:id',
    paramsOf<Stripe.ProductRetrieveParams>()({}),
    async ({ id }) => productById(id) ?? absent('product', id),
  ),
]

/** A list has one page: the catalogue has few entries. A request for another page is refused. */
function firstPage<T>(url: string, found: readonly T[], size = 10): Stripe.ApiList<T> {
  return { ...wholeList(url, found.slice(0, size)), has_more: found.length > size }
}

function absent(what: string, id: string): never {
  throw missing(what, id)
}
