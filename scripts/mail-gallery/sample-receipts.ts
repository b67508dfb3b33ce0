import { brand } from '#contracts/brand/brand'
import type { Receipt } from '#contracts/receipts'
import { renewal } from './sample-data.ts'

export const paid: Receipt = {
  receipt_id: '0198a3c2-7d40-7a11-8e02-51f7a0c3d991',
  kind: 'payment',
  invoice_number: '8C1F33A2-0004',
  file_name: 'receipt-8C1F33A2-0004.pdf',
  pdf_url: '/api/receipts/0198a3c2-7d40-7a11-8e02-51f7a0c3d991/pdf',
  issued_at: '2026-03-03T09:12:00.000Z',
  status: 'paid',
  currency: 'usd',
  payment_method: 'Visa ending 4242',
  seller: { name: brand.name, address: [...brand.address], email: brand.supportEmail },
  billed_to: {
    name: 'Birchwood Dental Group',
    email: 'dana@birchwood.example',
    address: ['12 Birch Lane', 'Dover, DE 19901'],
    country: 'US',
  },
  lines: [
    {
      description: '1 × Monthly Plan (at $39.00 / month)',
      quantity: 1,
      amount: 39,
      period_start: '2026-03-03T09:12:00.000Z',
      period_end: renewal,
      is_proration: false,
    },
  ],
  period: { start: '2026-03-03T09:12:00.000Z', end: renewal },
  amounts: { subtotal: 39, discount: 0, tax: 0, total: 39, from_balance: 0, paid: 39 },
  refund: null,
}

export const paidOutside: Receipt = { ...paid, payment_method: 'Payment directly to us' }

export const paidByCredit: Receipt = {
  ...paid,
  payment_method: 'Credit balance',
  amounts: { subtotal: 39, discount: 0, tax: 0, total: 39, from_balance: 39, paid: 0 },
}

export const upgraded: Receipt = {
  ...paid,
  invoice_number: '8C1F33A2-0005',
  issued_at: '2026-03-17T09:12:00.000Z',
  lines: [
    {
      description: '1 × Annual Plan (at $359.00 / year)',
      quantity: 1,
      amount: 359,
      period_start: '2026-03-17T09:12:00.000Z',
      period_end: '2027-03-17T09:12:00.000Z',
      is_proration: false,
    },
    {
      description: 'Unused time on Monthly Plan after 17 Mar 2026',
      quantity: 1,
      amount: -21.39,
      period_start: '2026-03-17T09:12:00.000Z',
      period_end: renewal,
      is_proration: true,
    },
  ],
  period: { start: '2026-03-17T09:12:00.000Z', end: '2027-03-17T09:12:00.000Z' },
  amounts: {
    subtotal: 337.61,
    discount: 20,
    tax: 25.41,
    total: 343.02,
    from_balance: 15,
    paid: 328.02,
  },
}
