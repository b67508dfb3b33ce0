import { expect, it } from '@jest/globals'
import { foldCustomer } from '#services/controls/fold-customer'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { StoredEvent } from '#services/event-store/event-store'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { controlledEvents } from '../support/data/controlled-events.ts'
import { amountsOf } from '../support/data/provider-invoice.ts'

const { pays, refunds } = controlledEvents('usr_1')
const [paid, refunded] = [pays(), refunds('refund_1', 3901)]
// A second payment of the period. The sentence of its control needs a currency of ISO 4217.
const poison = pays({
  paymentId: 'payment_2',
  invoiceRef: refOf('in_2'),
  amounts: { ...amountsOf(3900), currency: '?' },
})
const events = [paid, refunded, poison, refunds('refund_2', 1)]

const stored = events.map((event): StoredEvent => ({ ...event, data: {}, metadata: {} }))
/** It reads events that no control can fold, as a codec of another release could. */
const codec: Pick<EventCodec, 'decode'> = {
  decode: async (some) => events.filter(({ id }) => some.some((each) => each.id === id)),
}

it('an event that a control cannot fold leaves the state and the firings of the events before it', async () => {
  const before = {}
  const until = await foldCustomer(codec, before, stored.slice(0, 2))
  expect(until).toMatchObject({ firings: [{ eventId: refunded.id }], poison: null })
  expect(await foldCustomer(codec, before, stored)).toEqual({
    ...until,
    poison: { index: 2, error: expect.any(RangeError) },
  })
  expect(before).toEqual({})
})
