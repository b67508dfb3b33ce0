import { describe, expect, it, jest } from '@jest/globals'
import { payAt } from '../support/product/client.ts'
import { payFiftyTimes, twoProcesses } from './pay-once/two-processes.ts'

/* No customer pays twice, whatever time passes between the clicks. */

const { sandbox, newCustomer, advanceClock, endFaults } = await twoProcesses()
jest.setTimeout(120_000)

describe('fifty clicks at the same time in two processes', () => {
  it('give one subscription and one charge with all webhooks delivered', async () => {
    await payFiftyTimes(await newCustomer(), endFaults)
  })

  it('give one subscription and one charge with webhooks lost for 30 days', async () => {
    const customer = await newCustomer()
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const early = await customer.click()
    // The webhook of the page's expiry is lost, too.
    await advanceClock('P30D')
    await payFiftyTimes(customer, endFaults)
    expect((await payAt(String(early.url))).status).toBe(410)
  })

  it('give one subscription and one charge with the clock two years ahead', async () => {
    const { stripe } = sandbox
    // The customers of the other tests would be charged for two years.
    for (const { id } of (await stripe.subscriptions.list({ limit: 100 })).data)
      await stripe.subscriptions.cancel(id)
    const customer = await newCustomer()
    const early = await customer.click()
    await advanceClock('P2Y')
    await payFiftyTimes(customer, endFaults)
    expect((await payAt(String(early.url))).status).toBe(410)
  })
})
