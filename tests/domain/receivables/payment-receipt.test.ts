import { describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import {
  paymentReceiptText,
  type PaymentReceipt,
} from '#services/receivables/statement/payment-receipt'
import { renderPaymentReceipt } from '#services/receivables/statement/render-payment-receipt'

const receipt = (over: Partial<PaymentReceipt> = {}): PaymentReceipt => ({
  merchant: {
    name: 'Alder Dental',
    address: ['1140 Alder Street', 'Eugene, OR 97401'],
    email: 'front@alderdental.example',
    phone: null,
    logo: null,
  },
  client: { name: 'Grace Whitaker', number: '4711' },
  day: '2026-11-20',
  isEstimated: false,
  means: 'with Visa ending 4242',
  currency: 'usd',
  amount: 112_500,
  wentBack: 0,
  asOf: '2026-11-25',
  items: [
    { number: 'AD-1187', reference: 'Plan 2 of 3', amount: 84_000 },
    { number: 'AD-1214', reference: null, amount: 28_500 },
  ],
  ...over,
})

describe('the receipt of a payment', () => {
  it('has each text in the file', async () => {
    const file = new Uint8Array(await renderPaymentReceipt(receipt()))
    const { text } = await extractText(await getDocumentProxy(file))
    const written = text.join('').replaceAll(/\s/g, '')
    const { title, period, summary, from, to, items, sum } = paymentReceiptText(receipt())
    for (const each of [title, period, ...summary, ...from, ...to, sum])
      expect(written).toContain(each.replaceAll(/\s/g, ''))
    for (const cell of items.flatMap(({ cells }) => cells))
      expect(written).toContain(cell.replaceAll(/\s/g, ''))
    expect(text).toHaveLength(1)
  })

  it('has the same bytes for the same payment', async () => {
    const [one, other] = await Promise.all([
      renderPaymentReceipt(receipt()),
      renderPaymentReceipt(receipt()),
    ])
    expect(one.equals(other)).toBe(true)
  })

  it.each<[string, Partial<PaymentReceipt>, readonly string[]]>([
    ['a payment', {}, ['$1,125.00 paid with Visa ending 4242 on Nov 20, 2026.']],
    [
      'one of which a part went back',
      { wentBack: 28_500 },
      [
        '$1,125.00 paid with Visa ending 4242 on Nov 20, 2026.',
        '$285.00 of it went back to the client by Nov 25, 2026.',
      ],
    ],
    [
      'one that a list reported',
      { isEstimated: true, means: 'in another way', currency: 'jpy', amount: 500 },
      ['¥500 paid in another way on Nov 20, 2026. The day is estimated.'],
    ],
  ])('says what became of %s', (_what, over, summary) => {
    expect(paymentReceiptText(receipt(over)).summary).toEqual(summary)
  })
})
