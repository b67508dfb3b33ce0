import Stripe from 'stripe'
import { makePerson } from '../../../scripts/billing/demo/person.ts'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { sandboxClock } from '../../../scripts/billing/demo/sandbox-clock.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import {
  createVisitor,
  networkAddress,
  type Visitor,
} from '../../../scripts/billing/demo/visitor.ts'

/** A running product with its sandbox, for a measurement. */
export interface Bench {
  readonly productUrl: string
  readonly sandboxUrl: string
  readonly connectionString: string
  readonly webhookSecret: string
  readonly stripe: Stripe
  /** A new customer who is signed in. */
  newCustomer(): Promise<Visitor>
  setFaults(faults: Readonly<Record<string, unknown>>): Promise<void>
  advance(days: number): Promise<void>
}

export const webhookSecret = 'whsec_bench'

/** The first argument names a product that was started with this secret and TRUST_PROXY. */
export function benchOf(
  { url: productUrl, sandboxUrl }: { readonly url: string; readonly sandboxUrl: string },
  connectionString: string,
): Bench {
  const { signal } = new AbortController()
  const clock = sandboxClock(sandboxUrl, signal)
  const random = createRandom(seededRandom(1))
  let customers = 0
  return {
    productUrl,
    sandboxUrl,
    connectionString,
    webhookSecret,
    stripe: new Stripe('sk_test_sandbox', {
      host: 'localhost',
      port: new URL(sandboxUrl).port,
      protocol: 'http',
      telemetry: false,
    }),
    async newCustomer() {
      const index = customers
      customers += 1
      const visitor = createVisitor(
        { productUrl, sandboxUrl, signal },
        makePerson(index, random),
        networkAddress(index),
      )
      await visitor.signUp(true)
      await visitor.seePlan()
      return visitor
    },
    async setFaults(faults) {
      const response = await fetch(`${sandboxUrl}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
      if (!response.ok) throw new Error(`Setting the faults failed: ${await response.text()}`)
    },
    async advance(days) {
      const now = await clock.now()
      await clock.advance(new Date(now.getTime() + days * 86_400_000))
    },
  }
}
