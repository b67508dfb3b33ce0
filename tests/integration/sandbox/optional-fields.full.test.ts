import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createCheckout,
  startTestSandbox,
  type TestSandbox,
} from '../../support/product/sandbox.ts'
import { paidBy } from '../../support/product/sandbox-money.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

/*
 * The SDK's types allow an object without these fields, so the compiler does not require them.
 * Stripe's published sample objects contain them.
 */
describe('an object has the optional fields that Stripe sends', () => {
  it('a charge has the state of each card feature', async () => {
    const { charge } = await paidBy(sandbox.stripe)
    expect(charge.payment_method_details?.card).toMatchObject({
      extended_authorization: { status: 'disabled' },
      incremental_authorization: { status: 'unavailable' },
      multicapture: { status: 'unavailable' },
      network_token: { used: false },
      overcapture: { maximum_amount_capturable: 3_900, status: 'unavailable' },
    })
  })

  it('a payment intent has the details of its amount', async () => {
    await paidBy(sandbox.stripe)
    const [intent] = (await sandbox.stripe.paymentIntents.list({ limit: 1 })).data
    expect(intent?.amount_details).toEqual({ tip: {} })
  })

  it('a refund has its destination', async () => {
    const { charge } = await paidBy(sandbox.stripe)
    const refund = await sandbox.stripe.refunds.create({ charge: charge.id })
    expect(refund.destination_details).toEqual({ card: { type: 'refund' }, type: 'card' })
  })

  it('a checkout session states whether it collects a phone number', async () => {
    const { id } = await sandbox.stripe.customers.create({ name: 'Birchwood Dental Group' })
    const session = await createCheckout(sandbox.stripe, id)
    expect(session.phone_number_collection).toEqual({ enabled: false })
  })

  it('the default settings of a schedule state that no tax is calculated', async () => {
    const { subscription } = await paidBy(sandbox.stripe)
    const schedule = await sandbox.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    })
    expect(schedule.default_settings.automatic_tax).toEqual({
      disabled_reason: null,
      enabled: false,
      liability: null,
    })
  })
})
