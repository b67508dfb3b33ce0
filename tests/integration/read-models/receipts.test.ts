import { describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { receipt } from '#contracts/receipts'
import { receiptOf } from '#projections/purchases/queries/receipts'
import { purchases } from '#projections/purchases/read-model'
import {
  accountOpened,
  billing,
  paymentSucceeded,
  profileCompleted,
  recorded,
} from '../../support/data/events.ts'
import { amountsOf, providerInvoice } from '../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const opened = accountOpened('usr_1', 'dana@birchwooddental.example')
const address = {
  customerName: 'Birchwood Dental Group',
  customerEmail: 'billing@birchwooddental.example',
  addressLine1: '418 Orchard Lane',
  addressLine2: 'Suite 2',
  postalCode: '55802',
  city: 'Duluth',
  state: 'MN',
  country: 'US',
}
const refunded = (data: object) =>
  billing(
    'usr_1',
    {
      type: 'RefundRecorded',
      data: {
        ...samplePayloads.RefundRecorded,
        refundId: 'refund_1',
        paymentId: 'payment_1',
        amount: { amount: 1300, currency: 'usd' },
        status: 'succeeded',
        reason: 'requested_by_customer',
        ...data,
      },
    },
    { occurredAt: '2026-03-09T16:27:00.000Z' },
  )

async function receiptAfter(id: string, ...events: RecordedEvent[]) {
  await db.given(purchases, [opened, ...events])
  const found = await receiptOf(db.pool, id)
  return found && { userId: found.userId, ...receipt.parse(found.receipt) }
}

describe('the receipt of a payment', () => {
  it('has the invoice’s lines, sums, card, period and address', async () => {
    const { lines } = providerInvoice()
    const paid = paymentSucceeded('usr_1', {
      ...address,
      lines: [...lines, { ...lines[0]!, amount: -1000, isProration: true }],
      amounts: {
        currency: 'usd',
        subtotal: 2900,
        discount: 100,
        tax: 200,
        total: 3000,
        fromBalance: 500,
        paid: 2500,
      },
    })
    expect(await receiptAfter('payment_1', paid)).toEqual({
      userId: 'usr_1',
      receipt_id: 'payment_1',
      kind: 'payment',
      invoice_number: 'AR-0001',
      file_name: 'receipt-AR-0001.pdf',
      pdf_url: '/api/receipts/payment_1/pdf',
      issued_at: '2026-03-03T09:12:00.000Z',
      status: 'paid',
      currency: 'usd',
      payment_method: 'Visa ending 4242',
      seller: { name: 'Agile Receivables', address: [], email: 'support@example.com' },
      billed_to: {
        name: 'Birchwood Dental Group',
        email: 'billing@birchwooddental.example',
        address: ['418 Orchard Lane', 'Suite 2', 'Duluth, MN 55802', 'United States'],
        country: 'US',
      },
      lines: [
        {
          description: '1 × Monthly Plan (at $39.00 / month)',
          quantity: 1,
          amount: 39,
          period_start: '2026-03-03T09:12:00.000Z',
          period_end: '2026-04-03T09:12:00.000Z',
          is_proration: false,
        },
        expect.objectContaining({ amount: -10, is_proration: true }),
      ],
      period: { start: '2026-03-03T09:12:00.000Z', end: '2026-04-03T09:12:00.000Z' },
      amounts: { subtotal: 29, discount: 1, tax: 2, total: 30, from_balance: 5, paid: 25 },
      refund: null,
    })
  })

  it('does not change when the profile changes, whatever the payment lacks', async () => {
    for (const known of [{ ...address, city: null, customerName: null }, {}]) {
      const paid = paymentSucceeded('usr_1', known)
      const before = await receiptAfter('payment_1', profileCompleted('usr_1'), paid)
      const moved = profileCompleted('usr_1', { companyName: 'Northgate', city: 'Saint Paul' })
      expect(await receiptAfter('payment_1', profileCompleted('usr_1'), paid, moved)).toEqual(
        before,
      )
    }
  })

  it('names the seller of its day', async () => {
    const seller = { name: 'Northgate Ledger', address: ['1 Gate Road'], email: 'n@example.com' }
    expect(
      (await receiptAfter('payment_1', paymentSucceeded('usr_1', { seller })))?.seller,
    ).toEqual(seller)
  })

  it.each([
    ['jpy', 5000],
    ['kwd', 5],
  ])('has amounts with the exponent of %s', async (currency, amount) => {
    const paid = paymentSucceeded('usr_1', { amounts: amountsOf(5000, currency) })
    expect((await receiptAfter('payment_1', paid))?.amounts).toMatchObject({ paid: amount })
  })

  it('is named after the payment without an invoice number, without characters of a path', async () => {
    const paid = paymentSucceeded('usr_1', { invoiceNumber: null })
    expect((await receiptAfter('payment_1', paid))?.file_name).toBe('receipt-payment_1.pdf')
    const odd = paymentSucceeded('usr_1', { invoiceNumber: '../"a b"\r\n' })
    expect((await receiptAfter('payment_1', odd))?.file_name).toBe('receipt-..-a-b-.pdf')
  })

  it('is refunded after a full refund', async () => {
    const refund = refunded({ amount: { amount: 3900, currency: 'usd' } })
    const found = await receiptAfter('payment_1', paymentSucceeded('usr_1'), refund)
    expect(found?.status).toBe('refunded')
  })

  it('names no person after the erasure', async () => {
    const erased = recorded('account-usr_1', {
      type: 'PersonalDataErased',
      data: samplePayloads.PersonalDataErased,
    })
    const found = await receiptAfter('payment_1', paymentSucceeded('usr_1', address), erased)
    expect(JSON.stringify(found)).not.toMatch(/Birchwood|Orchard|Duluth|55802/)
    expect(found?.amounts?.paid).toBe(39)
  })
})

describe('the receipt of a refund', () => {
  it('has the negative amount, the reason and the original payment', async () => {
    const found = await receiptAfter(
      'refund_1',
      paymentSucceeded('usr_1', address),
      refunded(address),
    )
    expect(found).toMatchObject({
      userId: 'usr_1',
      kind: 'refund',
      invoice_number: 'AR-0001',
      file_name: 'receipt-refund-AR-0001.pdf',
      issued_at: '2026-03-09T16:27:00.000Z',
      status: 'succeeded',
      billed_to: { name: 'Birchwood Dental Group' },
      lines: [],
      amounts: null,
      refund: {
        amount: -13,
        reason: 'requested_by_customer',
        original: { receipt_id: 'payment_1', amount: 39, paid_at: '2026-03-03T09:12:00.000Z' },
      },
    })
  })

  it('has no original payment if the product has none', async () => {
    const found = await receiptAfter('refund_1', refunded({ paymentId: null }))
    expect(found).toMatchObject({ invoice_number: null, refund: { original: null } })
  })
})

it('an id without a payment or refund has no receipt', async () => {
  expect(await receiptAfter('payment_9', paymentSucceeded('usr_1'))).toBeNull()
})
