import type { Receipt } from '#contracts/receipts'

/** The receipt of a payment of $39.00 for March 2026. */
export function aReceipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    receipt_id: 'payment_1',
    kind: 'payment',
    invoice_number: 'AR-0001',
    file_name: 'receipt-AR-0001.pdf',
    pdf_url: '/api/receipts/payment_1/pdf',
    issued_at: '2026-03-03T09:12:00.000Z',
    status: 'paid',
    currency: 'usd',
    payment_method: 'Visa ending 4242',
    seller: {
      name: 'Agile Receivables',
      address: ['500 Example Street, Suite 200', 'Wilmington, DE 19801', 'United States'],
      email: 'support@example.com',
    },
    billed_to: {
      name: 'Birchwood Dental Group',
      email: 'dana@birchwooddental.example',
      address: ['418 Orchard Lane, Suite 2', 'Duluth, MN 55802', 'United States'],
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
    ],
    period: { start: '2026-03-03T09:12:00.000Z', end: '2026-04-03T09:12:00.000Z' },
    amounts: { subtotal: 39, discount: 0, tax: 0, total: 39, from_balance: 0, paid: 39 },
    refund: null,
    ...changes,
  }
}

/** The receipt of a refund of $13.00 of that payment. */
export function aRefundReceipt(changes: Partial<Receipt> = {}): Receipt {
  return aReceipt({
    receipt_id: 'refund_1',
    kind: 'refund',
    file_name: 'receipt-refund-AR-0001.pdf',
    pdf_url: '/api/receipts/refund_1/pdf',
    issued_at: '2026-03-09T16:27:00.000Z',
    status: 'succeeded',
    lines: [],
    period: null,
    amounts: null,
    refund: {
      amount: -13,
      plan_name: 'Monthly Plan',
      reason: 'requested_by_customer',
      memo: null,
      original: { receipt_id: 'payment_1', amount: 39, paid_at: '2026-03-03T09:12:00.000Z' },
    },
    ...changes,
  })
}
