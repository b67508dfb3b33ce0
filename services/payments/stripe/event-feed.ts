import type Stripe from 'stripe'
import { refOf, refOrNull, stripeIdOf } from './from-stripe/references.ts'
import type { CustomerObject, EventFeed } from '../event-feed.ts'
import type { PaymentReference, ProviderEvent } from '../provider-event.ts'
import { providerEventOf } from './provider-event-of.ts'
import { providerEventTypes } from './provider-event-types.ts'
import { calling, nullIfMissing } from './calls.ts'

/** Stripe's limit for the types of one `events.list` call. */
const typesPerCall = 20
const perPage = 100
/** More events than this within one list do not fit into the memory of a small server. */
const maxEvents = 200_000

export function createEventFeed(stripe: Stripe): EventFeed {
  return {
    async since(created) {
      const providerEvents: ProviderEvent[] = []
      for (let first = 0; first < providerEventTypes.length; first += typesPerCall) {
        const types = providerEventTypes.slice(first, first + typesPerCall)
        const page = await calling('listing events', async () => {
          const events = stripe.events.list({
            types: [...types],
            limit: perPage,
            ...(created === null
              ? {}
              : { created: { gte: Math.floor(Date.parse(created) / 1000) } }),
          })
          const found: ProviderEvent[] = []
          // One page at a time, so that only the provider events stay in memory.
          for await (const event of events) {
            found.push(providerEventOf(event))
            if (found.length > maxEvents)
              throw new Error(
                `The provider lists more than ${maxEvents} events since ${created ?? 'the beginning'}. Run 'billing reconcile --all'.`,
              )
          }
          return found
        })
        // A list call returns the newest event first.
        providerEvents.push(...page.reverse())
      }
      // The sort is stable: events of one second and one list call keep the provider's order.
      return providerEvents.sort((a, b) => Date.parse(a.created) - Date.parse(b.created))
    },

    newest: () =>
      calling('looking up the newest event', async () => {
        const [event] = (await stripe.events.list({ limit: 1 })).data
        return event === undefined ? null : providerEventOf(event).created
      }),

    retrieve: (eventRef) =>
      calling('looking up the event', async () => {
        const event = await stripe.events.retrieve(stripeIdOf(eventRef)).catch(nullIfMissing)
        return event === null ? null : providerEventOf(event)
      }),

    customerOf: ({ kind, ref }) =>
      calling('looking up the customer of a payment', async () => {
        const found = await retrieveReferenced(stripe, kind, stripeIdOf(ref)).catch(nullIfMissing)
        return refOrNull(found?.customer)
      }),

    async *customerObjects() {
      const subscriptions = stripe.subscriptions.list({ status: 'all', limit: perPage })
      yield* objectsOf('subscription', subscriptions, ({ customer }) => customer)
      yield* objectsOf('invoice', stripe.invoices.list({ limit: perPage }), (each) => each.customer)
      const refunds = stripe.refunds.list({ limit: perPage, expand: ['data.charge'] })
      yield* objectsOf('refund', refunds, ({ charge }) =>
        typeof charge === 'object' && charge !== null ? charge.customer : null,
      )
    },
  }
}

async function* objectsOf<T extends { readonly id?: string }>(
  kind: CustomerObject['kind'],
  list: AsyncIterable<T>,
  customerOf: (object: T) => string | { readonly id: string } | null,
): AsyncGenerator<CustomerObject> {
  const objects: AsyncIterator<T, unknown> = list[Symbol.asyncIterator]()
  for (;;) {
    const next = await calling(`listing every ${kind}`, async () => {
      const { done, value } = await objects.next()
      if (done === true) return null
      const customer = customerOf(value)
      return {
        kind,
        ref: refOf(value.id ?? ''),
        customerRef: refOrNull(customer),
      }
    })
    if (next === null) return
    yield next
  }
}

function retrieveReferenced(
  stripe: Stripe,
  kind: PaymentReference['kind'],
  id: string,
): Promise<{ readonly customer?: string | { readonly id: string } | null }> {
  switch (kind) {
    case 'charge':
      return stripe.charges.retrieve(id)
    case 'payment':
      return stripe.paymentIntents.retrieve(id)
    case 'invoice':
      return stripe.invoices.retrieve(id)
  }
}
