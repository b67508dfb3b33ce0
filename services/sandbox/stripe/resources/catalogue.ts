import type Stripe from 'stripe'
import { priceById, prices, productById, products } from '../catalogue.ts'
import { missing } from '../errors.ts'
import { wholeList } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
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
    async ({ params }) => {
      const found = prices
        .filter((price) => params.active === undefined || price.active === params.active)
        .filter((price) => params.currency === undefined || price.currency === params.currency)
        .filter((price) => params.product === undefined || price.product === params.product)
      return firstPage('/v1/prices', found, params.limit)
    },
  ),
  reading(
    '/v1/prices/:id',
    paramsOf<Stripe.PriceRetrieveParams>()({}),
    async ({ id }) => priceById(id) ?? absent('price', id),
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
