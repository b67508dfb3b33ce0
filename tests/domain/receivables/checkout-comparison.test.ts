import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { CheckoutItem } from '#contracts/events/client-checkout'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import type { ProviderClientCheckout } from '#services/payments/client-payments'
import { compareCheckout } from '#services/receivables/checkout/compare-checkout'
import {
  evolveCheckouts,
  feeReturnedOf,
  keptItems,
  type CheckoutEvent,
  type ClientCheckout,
} from '#services/receivables/checkout/checkout-state'
import { feeOf } from '#contracts/receivables/fee'
import {
  arbitraryProviderCheckout,
  takenOf,
  type ProviderCheckoutLife,
  type ReservedCheckout,
} from '../../support/receivables/arbitrary-provider-checkout.ts'
import { zone } from '../../support/data/finance-values.ts'

const owner = {
  merchantId: 'usr_1',
  clientId: 'client_1',
  checkoutId: 'checkout_11111111-1111-4111-8111-111111111111',
}
const at = '2026-06-01T09:00:00.000Z'
const timeZone = zone('America/Chicago')

function evolve(checkout: ClientCheckout | undefined, event: CheckoutEvent): ClientCheckout {
  const before = new Map(checkout === undefined ? [] : [[owner.checkoutId, checkout]])
  const after = evolveCheckouts(before, event).get(owner.checkoutId)
  if (after === undefined) throw new Error('The checkout is lost.')
  return after
}

/** The checkout with its page, before anything is known of the page. */
function opened({ name, currency, items, feeBasisPoints }: ReservedCheckout): ClientCheckout {
  const amount = sumOf(items)
  const fee = feeOf(amount, feeBasisPoints)
  const started = evolve(undefined, {
    type: 'ClientCheckoutStarted',
    data: {
      ...owner,
      accountRef: refOf('acct_1'),
      currency,
      items: [...items],
      amount,
      feeBasisPoints,
      fee,
    },
  })
  return evolve(started, {
    type: 'ClientCheckoutOpened',
    data: { ...owner, sessionRef: refOf(`cs_${name}`), expiresAt: at },
  })
}

const sumOf = (items: readonly CheckoutItem[]) => items.reduce((sum, each) => sum + each.amount, 0)

/** Looks at a state of the provider and records what is new. */
function look(checkout: ClientCheckout, found: ProviderClientCheckout) {
  const events = compareCheckout({ found, timeZone, at }, checkout, owner)
  let now = checkout
  for (const { occurredAt: _at, fact: _fact, ...event } of events) {
    now = evolve(now, event)
    expectWhole(now, event)
  }
  return { now, events }
}

/** Every sum is that of its items, and no item has less than nothing or more than its share. */
function expectWhole({ payment }: ClientCheckout, { data }: CheckoutEvent): void {
  if ('items' in data && 'amount' in data) expect(sumOf(data.items)).toBe(data.amount)
  if (payment === null) return
  expect(sumOf(payment.items)).toBe(payment.amount)
  const shares = new Map(payment.items.map((each) => [each.receivableId, each.amount]))
  for (const { receivableId, amount } of keptItems(payment)) {
    expect(amount).toBeGreaterThanOrEqual(0)
    expect(amount).toBeLessThanOrEqual(shares.get(receivableId) ?? 0)
  }
  const { fee } = payment
  if (fee !== null) expect(feeReturnedOf(fee)).toBeLessThanOrEqual(fee.amount)
}

/** What the stream says, in the terms of the provider. */
function recordedOf({ standing, payment }: ClientCheckout) {
  if (payment === null) return { standing }
  return {
    standing,
    amount: payment.amount,
    kept: sumOf(keptItems(payment)),
    fee: payment.fee?.amount ?? 0,
    feeReturned: payment.fee === null ? 0 : feeReturnedOf(payment.fee),
  }
}

function saidBy({ session, payment }: ProviderClientCheckout) {
  if (payment === 'none') return { standing: session.status === 'expired' ? 'closed' : 'open' }
  if (payment === 'submitted') return { standing: 'submitted' }
  if (payment === 'failed') return { standing: 'closed' }
  const returns = payment.fee?.returns ?? []
  return {
    standing: 'paid',
    amount: payment.amount,
    kept: payment.amount - takenOf(payment),
    fee: payment.fee?.amount ?? 0,
    feeReturned: returns.reduce((sum, { amount }) => sum + amount, 0),
  }
}

function last({ states }: ProviderCheckoutLife): ProviderClientCheckout {
  const state = states.at(-1)
  if (state === undefined) throw new Error('A life has a state.')
  return state
}

const looks = fc.array(fc.nat({ max: 20 }), { maxLength: 12 })

describe('what is recorded of any life of a checkout', () => {
  it('sums up to what the provider says last, at whatever moments it was looked at', () => {
    fc.assert(
      fc.property(arbitraryProviderCheckout, looks, (life, moments) => {
        let checkout = opened(life.reserved)
        // Repeated, and in the order of time.
        for (const moment of moments.toSorted((a, b) => a - b)) {
          const state = life.states[Math.min(moment, life.states.length - 1)]
          if (state !== undefined) checkout = look(checkout, state).now
        }
        const end = look(checkout, last(life)).now
        expect(recordedOf(end)).toEqual(saidBy(last(life)))
      }),
      { numRuns: 500 },
    )
  })

  it('sums up to it also after older answers that came late', () => {
    fc.assert(
      fc.property(arbitraryProviderCheckout, looks, (life, moments) => {
        let checkout = opened(life.reserved)
        for (const moment of moments) {
          const state = life.states[moment % life.states.length]
          if (state !== undefined) checkout = look(checkout, state).now
        }
        const end = look(checkout, last(life)).now
        expect(recordedOf(end)).toEqual(saidBy(last(life)))
      }),
      { numRuns: 500 },
    )
  })

  it('is nothing when it is looked at again', () => {
    fc.assert(
      fc.property(arbitraryProviderCheckout, looks, (life, moments) => {
        let checkout = opened(life.reserved)
        for (const moment of [...moments, life.states.length - 1]) {
          const state = life.states[moment % life.states.length]
          if (state === undefined) continue
          checkout = look(checkout, state).now
          expect(look(checkout, state).events).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('has each fact once', () => {
    fc.assert(
      fc.property(arbitraryProviderCheckout, (life) => {
        let checkout = opened(life.reserved)
        const facts: string[] = []
        for (const state of life.states) {
          const { now, events } = look(checkout, state)
          checkout = now
          for (const { fact } of events) if (fact !== undefined) facts.push(fact)
        }
        expect(new Set(facts).size).toBe(facts.length)
      }),
      { numRuns: 500 },
    )
  })
})
