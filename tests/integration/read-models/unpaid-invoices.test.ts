import { describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { paymentsResponse } from '#contracts/purchases'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { purchases } from '#projections/purchases/read-model'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  billing,
  paymentFailed,
  paymentSucceeded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const opened = accountOpened('usr_1', 'dana@birchwooddental.example')
const started = subscriptionStarted('usr_1')
const retryAt = '2026-04-06T09:12:00.000Z'
const ofInvoice = {
  paymentId: 'payment_1',
  invoiceRef: refOf('in_1'),
  subscriptionId: 'subscription_1',
  planName: 'Monthly Plan',
} as const
const failed = paymentFailed('usr_1', { code: 'insufficient_funds', nextAttemptAt: retryAt })

async function pageAfter(...events: RecordedEvent[]) {
  await db.given(purchases, [opened, started, ...events])
  return paymentsResponse.parse(await paymentsOf(db.pool, 'usr_1', new Date(retryAt)))
}
const unpaidAfter = async (...events: RecordedEvent[]) =>
  (await pageAfter(...events)).activeSubscriptions.flatMap((each) => each.unpaid_invoices)

describe('the unpaid payments of a subscription', () => {
  it('have the amount, the reason in words, the means and the next attempt', async () => {
    expect(await unpaidAfter(failed)).toMatchObject([
      {
        payment_id: 'payment_1',
        amount: 39,
        reason: 'The card has not enough money for the payment.',
        needs_confirmation: false,
        payment_method: 'Visa ending 0341',
        next_attempt_at: retryAt,
      },
    ])
  })

  it('follow the amount and the attempt of the provider', async () => {
    const changed = billing('usr_1', {
      type: 'UnpaidInvoiceChanged',
      data: { ...ofInvoice, due: { amount: 2900, currency: 'usd' }, nextAttemptAt: null },
    })
    expect(await unpaidAfter(failed, changed)).toMatchObject([
      { amount: 29, next_attempt_at: null },
    ])
  })

  it('need a confirmation if the bank asks the card holder', async () => {
    expect(
      await unpaidAfter(paymentFailed('usr_1', { code: 'authentication_required' })),
    ).toMatchObject([
      { needs_confirmation: true, reason: 'Your bank asks you to confirm the payment.' },
    ])
  })

  it('end with the payment, and with an invoice that is written off', async () => {
    expect(await unpaidAfter(failed, paymentSucceeded('usr_1'))).toEqual([])
    const voided = billing('usr_1', {
      type: 'InvoiceWrittenOff',
      data: { ...ofInvoice, due: { amount: 3900, currency: 'usd' }, how: 'voided' },
    })
    expect(await unpaidAfter(failed, voided)).toEqual([])
  })
})

describe('the default payment method', () => {
  const mastercard = {
    type: 'card',
    brand: 'mastercard',
    last4: '4444',
    expiryMonth: 1,
    expiryYear: 2030,
  }
  const changed = (method: typeof mastercard | null) =>
    billing('usr_1', { type: 'PaymentMethodChanged', data: { method } })
  const methodAfter = async (...events: RecordedEvent[]) =>
    (await pageAfter(...events)).defaultPaymentMethod

  it('is unknown before the first payment, and then that of the first payment', async () => {
    expect(await methodAfter()).toBeNull()
    expect(await methodAfter(paymentSucceeded('usr_1'))).toMatchObject({ name: 'Visa ending 4242' })
  })

  it('is the provider’s after a change, also if another card pays later', async () => {
    expect(
      await methodAfter(
        paymentSucceeded('usr_1'),
        changed(mastercard),
        paymentSucceeded('usr_1', { paymentId: 'payment_2', invoiceRef: refOf('in_2') }),
      ),
    ).toEqual({ name: 'Mastercard ending 4444', expires: '01/30' })
  })

  it('is none after its removal', async () => {
    expect(await methodAfter(paymentSucceeded('usr_1'), changed(null))).toBeNull()
  })
})
