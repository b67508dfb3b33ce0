import { expect } from '@jest/globals'
import { adminSummary } from '#contracts/admin/summary'
import { adminUsersResponse } from '#contracts/admin/users'
import { toMajorUnits } from '#contracts/currency'
import type { BillingEvent } from '#contracts/events/billing'
import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { totalToShow } from '#contracts/invoice-total'
import type { RefundStatus } from '#contracts/refund-status'
import type { Customer } from './customer.ts'
import type { World } from './world.ts'

/** What the events of a customer say about money, in minor units. */
function ledgerOf(events: readonly BillingEvent[]) {
  const payments = new Map<ProviderRef, { paid: number; shown: number; currency: string }>()
  const refunds = new Map<
    string,
    {
      invoiceRef: ProviderRef | null
      amount: number
      captured: number | null
      status: RefundStatus
    }
  >()
  const notes = new Map<
    string,
    { invoiceRef: ProviderRef; total: number; credit: number; refunded: number; isVoid: boolean }
  >()
  const disputes = new Map<string, { amount: number; kind: string; outcome: string | null }>()
  for (const { type, data } of events) {
    if (type === 'PaymentSucceeded') {
      const { paid, currency } = data.amounts
      payments.set(data.invoiceRef, { paid, shown: totalToShow(data.amounts), currency })
    } else if (type === 'RefundRecorded') {
      const { invoiceRef, amount, captured, status } = data
      refunds.set(data.refundId, {
        invoiceRef,
        amount: amount.amount,
        captured: captured?.amount ?? null,
        status,
      })
    } else if (type === 'RefundStatusChanged') {
      refunds.set(data.refundId, { ...refunds.get(data.refundId)!, status: data.to })
    } else if (type === 'CreditNoteIssued') {
      const { invoiceRef, total, refunded, toBalance, outOfBand } = data
      notes.set(data.creditNoteId, {
        invoiceRef,
        total: total.amount,
        refunded,
        credit: toBalance + outOfBand,
        isVoid: false,
      })
    } else if (type === 'CreditNoteVoided') {
      notes.set(data.creditNoteId, { ...notes.get(data.creditNoteId)!, isVoid: true })
    } else if (type === 'DisputeOpened') {
      disputes.set(data.disputeId, { amount: data.amount.amount, kind: data.kind, outcome: null })
    } else if (type === 'DisputeClosed') {
      disputes.set(data.disputeId, { ...disputes.get(data.disputeId)!, outcome: data.outcome })
    }
  }
  return { payments, refunds, notes, disputes }
}

const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, each) => total + each, 0)
const gaveBack = (status: RefundStatus) => status === 'succeeded'
const canGiveBack = (status: RefundStatus) => status !== 'failed' && status !== 'canceled'
const sorted = (amounts: Iterable<number>) => [...amounts].sort((one, other) => one - other)

/**
 * Compares the money of a customer in the events, the answers of the API and the objects of the
 * provider, to the minor unit:
 * - refunds and credit notes of a payment are never above the captured amount
 * - paid minus refunded is below zero only by what a lost dispute took
 * - the rows and totals of the API are the sums of the events
 * - the provider's invoices, charges, refunds, credit notes and disputes are those of the events
 */
export async function expectMoneyAgrees(customer: Customer): Promise<void> {
  await customer.world.settle()
  const ledger = ledgerOf(await customer.events())
  expectNothingAboveCaptured(ledger)
  await expectApiAgrees(customer, ledger)
  await expectProviderAgrees(customer, ledger)
}

type Ledger = ReturnType<typeof ledgerOf>

function expectNothingAboveCaptured({ payments, refunds, notes, disputes }: Ledger): void {
  const paid = sum([...payments.values()].map((payment) => payment.paid))
  const returned = sum(
    [...refunds.values()].filter(({ status }) => gaveBack(status)).map(({ amount }) => amount),
  )
  const lost = sum(
    [...disputes.values()].filter(({ outcome }) => outcome === 'lost').map(({ amount }) => amount),
  )
  expect(paid - returned + lost).toBeGreaterThanOrEqual(0)
  for (const [invoiceRef, payment] of payments) {
    const of = [...refunds.values()].filter(
      (refund) => refund.invoiceRef === invoiceRef && canGiveBack(refund.status),
    )
    for (const { captured } of of) expect(captured).toBe(payment.paid)
    const refunded = sum(of.map(({ amount }) => amount))
    const noted = [...notes.values()].filter(
      (note) => note.invoiceRef === invoiceRef && !note.isVoid,
    )
    expect(refunded + sum(noted.map(({ credit }) => credit))).toBeLessThanOrEqual(payment.paid)
    expect(sum(noted.map((note) => note.refunded))).toBeLessThanOrEqual(refunded)
  }
}

async function expectApiAgrees(customer: Customer, ledger: Ledger): Promise<void> {
  const { payments, refunds, notes } = ledger
  const currency = currencyOf(ledger)
  const inMajor = (amounts: readonly number[]) =>
    sorted(amounts.map((amount) => toMajorUnits(amount, currency)))
  const answer = await customer.payments()
  expect(sorted(answer.payments.map(({ amount_total }) => amount_total))).toEqual(
    inMajor([
      ...[...payments.values()].map(({ shown }) => shown),
      ...[...refunds.values()]
        .filter(({ status }) => canGiveBack(status))
        .map(({ amount }) => -amount),
      ...[...notes.values()]
        .filter(({ credit, isVoid }) => credit > 0 && !isVoid)
        .map(({ credit }) => -credit),
    ]),
  )
  expect(sorted(answer.refunds.map(({ amount }) => amount))).toEqual(
    inMajor([...refunds.values()].map(({ amount }) => amount)),
  )
  const { body } = await customer.world.admin.get(
    `/api/admin/users?search=${encodeURIComponent(customer.email)}`,
  )
  const listed = adminUsersResponse
    .parse(body)
    .items.filter(({ user_id }) => user_id === customer.userId)
  expect(listed.map((user) => [user.total_spent, user.currency])).toEqual([
    [toMajorUnits(spentOf(ledger), currency), currency],
  ])
}

/** The provider bills a customer in one currency. */
function currencyOf({ payments }: Ledger): string {
  return [...payments.values()][0]?.currency ?? 'usd'
}

/** Paid minus the refunds that succeeded. */
function spentOf({ payments, refunds }: Ledger): number {
  return (
    sum([...payments.values()].map(({ paid }) => paid)) -
    sum([...refunds.values()].filter(({ status }) => gaveBack(status)).map(({ amount }) => amount))
  )
}

async function expectProviderAgrees(customer: Customer, ledger: Ledger): Promise<void> {
  const { stripe } = customer.world.sandbox
  const owner = await customer.stripeCustomer()
  const [invoices, charges, notes] = await Promise.all([
    stripe.invoices.list({ customer: owner, limit: 100 }),
    stripe.charges.list({ customer: owner, limit: 100 }),
    stripe.creditNotes.list({ customer: owner, limit: 100 }),
  ])
  const paid = invoices.data.filter(({ status }) => status === 'paid')
  expect(
    Object.fromEntries(paid.map(({ id, amount_paid }) => [refAt('stripe', id), amount_paid])),
  ).toEqual(Object.fromEntries([...ledger.payments].map(([id, payment]) => [id, payment.paid])))
  const captured = charges.data.filter((charge) => charge.paid)
  expect(sum(captured.map(({ amount_captured }) => amount_captured))).toBe(
    sum([...ledger.payments.values()].map((payment) => payment.paid)),
  )
  const refundsAndDisputes = await Promise.all(
    captured.map(async ({ id }) => ({
      refunds: (await stripe.refunds.list({ charge: id, limit: 100 })).data,
      disputes: (await stripe.disputes.list({ charge: id, limit: 100 })).data,
    })),
  )
  const refunds = refundsAndDisputes.flatMap((each) => each.refunds)
  expect(refunds.map(({ amount, status }) => `${amount} ${status}`).sort()).toEqual(
    [...ledger.refunds.values()].map(({ amount, status }) => `${amount} ${status}`).sort(),
  )
  expect(sum(captured.map(({ amount_refunded }) => amount_refunded))).toBe(
    sum(
      [...ledger.refunds.values()]
        .filter(({ status }) => gaveBack(status))
        .map(({ amount }) => amount),
    ),
  )
  expect(notes.data.map(({ total, status }) => `${total} ${status === 'void'}`).sort()).toEqual(
    [...ledger.notes.values()].map(({ total, isVoid }) => `${total} ${isVoid}`).sort(),
  )
  const disputes = refundsAndDisputes.flatMap((each) => each.disputes)
  expect(sorted(disputes.map(({ amount }) => amount))).toEqual(
    sorted([...ledger.disputes.values()].map(({ amount }) => amount)),
  )
}

/** The dashboard's totals are the sums of these customers, who are all customers of the product. */
export async function expectSummaryAgrees(
  world: World,
  customers: readonly Customer[],
): Promise<void> {
  await world.settle()
  const all = await Promise.all(customers.map(async (each) => ledgerOf(await each.events())))
  const paidIn = (currency: string) => all.filter((ledger) => currencyOf(ledger) === currency)
  const revenueOf = (ledgers: readonly Ledger[], currency: string) =>
    toMajorUnits(sum(ledgers.map(spentOf)), currency)
  const refundsOf = (ledgers: readonly Ledger[]) =>
    ledgers.flatMap((ledger) => [...ledger.refunds.values()])
  const home = paidIn('usd')
  const others = new Set(all.map(currencyOf).filter((currency) => currency !== 'usd'))
  const returnedIn = (currency: string) =>
    toMajorUnits(
      sum(
        refundsOf(paidIn(currency))
          .filter(({ status }) => gaveBack(status))
          .map(({ amount }) => amount),
      ),
      currency,
    )
  const { body } = await world.admin.get('/api/admin/summary')
  const summary = adminSummary.parse(body)
  expect(summary).toMatchObject({
    totalUsers: customers.length,
    totalRevenue: revenueOf(home, 'usd'),
    refunds: {
      total: refundsOf(all).length,
      totalAmount: returnedIn('usd'),
      otherAmounts: [...others]
        .map((currency) => ({ currency, amount: returnedIn(currency) }))
        .filter(({ amount }) => amount !== 0)
        .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
    },
  })
  expect(
    Object.fromEntries(summary.otherRevenue.map((each) => [each.currency, each.amount])),
  ).toEqual(Object.fromEntries([...others].map((each) => [each, revenueOf(paidIn(each), each)])))
}
