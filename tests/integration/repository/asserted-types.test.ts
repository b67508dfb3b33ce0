import { describe, expect, it } from '@jest/globals'
import { linesWith } from './source-lines.ts'

const mayCast = [
  // Feeds the client library's Subscription with fake gRPC messages, whose generated classes are
  // not exported.
  'tests/domain/event-store/eventstoredb-client-subscription.test.ts:',
  // The types of pdfkit lack an object of font features, and a document without a standard font.
  'services/billing/receipts/render-receipt.ts:',
  'services/billing/receipts/text-writer.ts:',
  // The types of bidi-js declare another export than the package has.
  'services/billing/receipts/visual-order.ts:',
  // No type follows from the type and the object of an event of Stripe.
  'tests/domain/from-stripe-history.test.ts:',
  // This file names the casts.
  'tests/integration/repository/asserted-types.test.ts:',
]

describe('the product asserts no type that it could check', () => {
  it('reads rows through services/foundation/rows.ts, not by query<Row>', async () => {
    expect(await linesWith(/\bquery<|new Cursor</, ['services', 'projections', 'scripts'])).toEqual(
      [],
    )
  })

  it('uses neither `as never` nor `as unknown as`', async () => {
    const found = await linesWith(/\bas never\b|\bas unknown as\b/, [
      'contracts',
      'projections',
      'scripts',
      'services',
      'tests',
      'web',
    ])
    expect(found.filter((place) => !mayCast.some((file) => place.startsWith(file)))).toEqual([])
  })
})
