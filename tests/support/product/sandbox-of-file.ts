import { afterAll } from '@jest/globals'
import { advance } from './sandbox-money.ts'
import { startTestSandbox } from './sandbox.ts'

/**
 * Starts a sandbox for the tests of the calling file and closes it after the last test. Call it at
 * the top of the file: `const { stripe, advance } = await sandboxOfFile()`.
 */
export async function sandboxOfFile() {
  const sandbox = await startTestSandbox()
  afterAll(() => sandbox.close())
  const { stripe } = sandbox
  return {
    sandbox,
    stripe,
    /** Sets the clock forward by an ISO 8601 duration. */
    advance: (by: string) => advance(sandbox, by),
    /** The customer's invoices, the oldest first. */
    invoicesOf: async (customer: string) =>
      (await stripe.invoices.list({ customer, limit: 100 })).data.reverse(),
    lastEvent: async () => (await stripe.events.list({ limit: 1 })).data[0]?.id ?? '',
    /** The events after this one, the oldest first; at most 100. */
    eventsSince: async (before: string) =>
      (await stripe.events.list({ limit: 100, ending_before: before })).data.reverse(),
  }
}
