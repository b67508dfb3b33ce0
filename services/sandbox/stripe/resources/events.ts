import type Stripe from 'stripe'
import { z } from 'zod'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'

const listParams = paramsOf<Stripe.EventListParams>()({
  ...paging,
  created: created.optional(),
  type: text.optional(),
  types: z.array(text).max(20, 'holds more than 20 types').optional(),
})

/** The list includes the events of dropped webhooks: every event is saved. */
export const eventOperations: readonly Operation[] = [
  reading('/v1/events', listParams, ({ tx, params }) =>
    listPage(tx, 'event', '/v1/events', params, [
      ...having(['type'], params.type),
      ...(params.types === undefined ? [] : [{ path: ['type'], isOneOf: params.types }]),
    ]),
  ),
  reading('/v1/events/:id', paramsOf<Stripe.EventRetrieveParams>()({}), async ({ tx, id }) => {
    const event = await tx.find('event', id)
    if (!event) throw missing('event', id)
    return event
  }),
]
