import { expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { isRefusal, RefusedCall } from '../../scripts/billing/demo/refused-call.ts'

it.each([
  ['an ended session', new RefusedCall('POST /api/x', 401, 'You need to be logged in'), true],
  ['a block', new RefusedCall('POST /api/x', 403), true],
  [
    'a canceled subscription at the provider',
    Stripe.errors.StripeError.generate({ type: 'invalid_request_error', statusCode: 400 }),
    true,
  ],
  ['a rate limit', new RefusedCall('POST /api/x', 429), false],
  ['a failure of the product', new RefusedCall('POST /api/x', 500), false],
  ['a fault of the demo', new Error('No plan is on sale.'), false],
])('%s: whether it ends the story of one customer alone', (_what, error, ends) => {
  expect(isRefusal(error)).toBe(ends)
})

it('a refused call says what was called and why it was refused', () => {
  expect(new RefusedCall('GET /api/plans', 503, 'busy').message).toBe(
    'GET /api/plans answered 503: busy',
  )
  expect(new RefusedCall('The form at /pay', 402).message).toBe('The form at /pay answered 402.')
})
