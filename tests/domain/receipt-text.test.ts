import { describe, expect, it } from '@jest/globals'
import { receiptText } from '#contracts/receipt-text'
import { aReceipt, aRefundReceipt } from '../support/data/receipts.ts'

const sumsOf = (...args: Parameters<typeof aReceipt>) =>
  receiptText(aReceipt(...args)).sums.map(({ term, value }) => `${term} ${value}`)

const amounts = { subtotal: 39, discount: 0, tax: 0, total: 39, from_balance: 0, paid: 39 }

describe('the sums of a receipt', () => {
  it('list discount and credit balance with a minus', () => {
    expect(
      sumsOf({
        amounts: { subtotal: 39, discount: 4, tax: 2.8, total: 37.8, from_balance: 7.8, paid: 30 },
      }),
    ).toEqual([
      'Subtotal $39.00',
      'Discount \u2212$4.00',
      'Tax $2.80',
      'Total $37.80',
      'Credit balance used \u2212$7.80',
      'Amount paid $30.00',
    ])
  })

  it('leave out a discount and a credit balance of zero', () => {
    expect(sumsOf({ amounts })).toEqual([
      'Subtotal $39.00',
      'Tax $0.00',
      'Total $39.00',
      'Amount paid $39.00',
    ])
  })

  it('name a tax that the prices include', () => {
    expect(sumsOf({ amounts: { ...amounts, tax: 6.23 } })).toContain('Tax included $6.23')
  })

  it('show what an invoice of credits added to the balance', () => {
    const credit = { ...amounts, subtotal: -13, total: -13, from_balance: -13, paid: 0 }
    expect(sumsOf({ amounts: credit }).slice(-2)).toEqual([
      'Added to credit balance $13.00',
      'Amount paid $0.00',
    ])
  })

  it.each([
    ['jpy', 'Amount paid ¥39'],
    ['kwd', 'Amount paid KWD\u00a039.000'],
  ])('have the decimals of %s', (currency, last) => {
    expect(sumsOf({ currency, amounts }).at(-1)).toBe(last)
  })
})

describe('the texts of a receipt', () => {
  it('mark a proration, and have dates in UTC', () => {
    const [line] = aReceipt().lines
    const text = receiptText(
      aReceipt({
        issued_at: '2026-03-03T23:30:00.000Z',
        lines: [{ ...line!, is_proration: true, amount: -22.1 }],
      }),
    )
    expect(text.summary).toBe('$39.00 paid on Mar 3, 2026')
    expect(text.lines).toEqual([
      {
        description: '1 × Monthly Plan (at $39.00 / month)',
        note: 'Proration, Mar 3, 2026 to Apr 3, 2026',
        quantity: '1',
        amount: '\u2212$22.10',
      },
    ])
  })

  it('name no date of payment if nothing was due', () => {
    const nothing = { ...amounts, discount: 39, total: 0, paid: 0 }
    const { summary, descriptions } = receiptText(aReceipt({ amounts: nothing }))
    expect(summary).toMatch(/^Nothing was due on /)
    expect(descriptions.map(({ term }) => term)).toContain('Date')
    expect(descriptions.map(({ term }) => term)).not.toContain('Date paid')
  })

  it('leave out what is unknown', () => {
    const { descriptions } = receiptText(aReceipt({ invoice_number: null, period: null }))
    expect(descriptions.map(({ term }) => term)).toEqual(['Date paid', 'Payment method'])
  })

  it('say that a payment is disputed', () => {
    expect(receiptText(aReceipt({ status: 'disputed' })).descriptions).toContainEqual({
      term: 'Status',
      value: 'Disputed',
    })
  })

  it('of a refund name the original payment and the reason', () => {
    const text = receiptText(aRefundReceipt())
    expect(text).toMatchObject({
      title: 'Refund receipt',
      summary: '$13.00 refunded on Mar 9, 2026',
      lines: [
        {
          description: 'Refund of Monthly Plan',
          note: 'Payment of $39.00 on Mar 3, 2026',
          amount: '\u2212$13.00',
        },
      ],
      sums: [
        { term: 'Original payment', value: '$39.00' },
        { term: 'Refund', value: '\u2212$13.00' },
      ],
    })
    expect(text.descriptions).toContainEqual({ term: 'Reason', value: 'Requested by customer' })
    expect(text.descriptions.map(({ term }) => term)).not.toContain('Note')
  })

  it.each([
    ['pending', 'The refund of $13.00 on Mar 9, 2026 is pending'],
    ['failed', 'The refund of $13.00 on Mar 9, 2026 failed'],
  ] as const)('of a refund that is %s do not say that money moved', (status, summary) => {
    expect(receiptText(aRefundReceipt({ status })).summary).toBe(summary)
  })

  it('of a refund with a status of a newer release do not say that money moved', () => {
    const refund = Object.assign(aRefundReceipt({}), { status: 'in_review' })
    expect(receiptText(refund).summary).toBe('The refund of $13.00 on Mar 9, 2026: In review')
  })
})
