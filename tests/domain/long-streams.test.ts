import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { DunningEvent } from '#contracts/events/dunning'
import { billingDecider } from '#services/billing/billing-decider'
import { dunningDecider } from '#services/notifications/dunning/dunning-decider'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { samplePayloads } from '../support/data/sample-payloads.ts'

// A fold that copies its collections for every event needs a minute for this many.
const length = 30_000
const limitMs = 15_000

it(
  'folds a billing stream of thirty thousand payments',
  async () => {
    const state = await fold(billingDecider.evolve, billingDecider.initialState, (index) => {
      const data = { ...samplePayloads.PaymentSucceeded, invoiceRef: refOf(`in_${index}`) }
      return { type: 'PaymentSucceeded', data } satisfies BillingEvent
    })
    expect(state.invoices.size).toBe(length)
    expect(state.invoices.get(refOf('in_0'))?.kind).toBe('paid')
  },
  limitMs,
)

it(
  'folds a dunning stream of thirty thousand invoices',
  async () => {
    const state = await fold(dunningDecider.evolve, dunningDecider.initialState, (index) => {
      const data = { ...samplePayloads.DunningStarted, invoiceRef: refOf(`in_${index}`) }
      return { type: 'DunningStarted', data } satisfies DunningEvent
    })
    expect(state.size).toBe(length)
  },
  limitMs,
)

/** Pauses now and then, so that the limit of a test can end it. */
async function fold<State, Event>(
  evolve: (state: State, event: Event) => State,
  initial: State,
  eventAt: (index: number) => Event,
): Promise<State> {
  let state = initial
  for (let index = 0; index < length; index += 1) {
    if (index % 1_000 === 0) await setImmediate()
    state = evolve(state, eventAt(index))
  }
  return state
}
