import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import { parseSubscriptionId } from '#contracts/ids'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { payableInvoiceOf } from '#services/billing/billing-state'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { subscriptionIdOf } from '#services/billing/product-ids'
import type { ProviderInvoice } from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { failedAttempt, providerInvoice } from '../support/data/provider-invoice.ts'

const seenAt = '2026-03-19T10:05:00.000Z'
const retryAt = '2026-03-22T09:12:00.000Z'

const open = (changes: Partial<ProviderInvoice> = {}, nextAttemptAt: string | null = retryAt) =>
  providerInvoice({
    failures: [{ ...failedAttempt, nextAttemptAt }],
    outcome: { kind: 'open' },
    ...changes,
  })
const see = (invoice: ProviderInvoice): BillingCommand => ({
  type: 'reconcile',
  providerState: { ...stateOfNewCustomer, invoices: [invoice] },
  at: seenAt,
})

/** The events that these answers of the provider add in turn. */
function after(...answers: readonly ProviderInvoice[]): readonly BillingEvent[] {
  return answers.reduce<readonly BillingEvent[]>((events, answer) => {
    const decision = given(billingDecider, ...events).decide(see(answer))
    return decision.kind === 'accepted' ? [...events, ...decision.events] : events
  }, [])
}

describe('an unpaid invoice', () => {
  it('that asks for another amount is recorded once, without another attempt', () => {
    const credited = open({ due: 2900 })
    expect(after(open(), open(), credited, credited)).toMatchObject([
      { type: 'PaymentFailed', data: { due: { amount: 3900 }, code: 'generic_decline' } },
      { type: 'UnpaidInvoiceChanged', data: { due: { amount: 2900 }, nextAttemptAt: retryAt } },
    ])
  })

  it('whose next attempt is moved or dropped is recorded each time', () => {
    const later = '2026-03-25T09:12:00.000Z'
    expect(after(open(), open({}, later), open({}, null), open({}, later)).slice(1)).toMatchObject([
      { type: 'UnpaidInvoiceChanged', data: { nextAttemptAt: later } },
      { type: 'UnpaidInvoiceChanged', data: { nextAttemptAt: null } },
      { type: 'UnpaidInvoiceChanged', data: { nextAttemptAt: later } },
    ])
  })

  it('can be paid until it is paid or written off', () => {
    const subscriptionId = parseSubscriptionId(subscriptionIdOf(refOf('sub_1')))
    const payableAfter = (...answers: readonly ProviderInvoice[]) =>
      payableInvoiceOf(given(billingDecider, ...after(...answers)).state, subscriptionId)
    expect(payableAfter(open())).toBe(refOf('in_1'))
    expect(payableAfter(open(), providerInvoice())).toBeNull()
    const voided = { kind: 'written-off', at: seenAt, how: 'voided' } as const
    expect(payableAfter(open(), open({ outcome: voided }))).toBeNull()
  })
})
