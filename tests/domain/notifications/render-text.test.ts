import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { gsmLength } from '#services/notifications/gsm-text'
import { dunningDays } from '#contracts/dunning'
import { renderText } from '#services/notifications/render-text'

const sender = (name: string) => ({ brand: { name } })
const usd = (amount: number) => ({ amount, currency: 'usd' })
const url = 'https://billing.example.com/purchases'

describe('a text about a failed payment', () => {
  it.each([
    [0, 'Northgate: your payment of $39.00 failed. Update your card:'],
    [3, 'Northgate: $39.00 is still unpaid. Update your card:'],
    [5, 'Northgate: $39.00 is unpaid, your plan is at risk. Update your card:'],
    [7, 'Northgate: last reminder, $39.00 is unpaid. Update your card:'],
  ] as const)('of day %s says what is unpaid and what to do', (day, words) => {
    const text = renderText(
      { kind: 'payment-failed', day, due: usd(3900), url },
      sender('Northgate'),
    )
    expect(text).toBe(`${words} ${url} Reply STOP to end`)
  })

  it('writes names and amounts in the alphabet of texts', () => {
    const text = (name: string, currency: string) =>
      renderText(
        { kind: 'payment-failed', day: 3, due: { amount: 5000, currency }, url },
        sender(name),
      )
    expect(text('Café Šárka’s', 'kwd')).toMatch(/^Café Sarka's: KWD 5\.000 is still unpaid/)
    expect(text('Ledger', 'inr')).toMatch(/^Ledger: \?50\.00|^Ledger: INR/)
    expect(text('Ledger', 'eur')).toMatch(/^Ledger: €50\.00/)
  })

  it('is one segment with the link and STOP, whatever the name and the amount are', () => {
    const alphabet =
      /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }),
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.constantFrom('usd', 'eur', 'jpy', 'kwd', 'inr'),
        fc.constantFrom(...dunningDays),
        fc.integer({ min: 20, max: 80 }),
        (name, amount, currency, day, length) => {
          const link = 'https://billing.example/'.padEnd(length, 'x')
          const text = renderText(
            { kind: 'payment-failed', day, due: { amount, currency }, url: link },
            sender(name),
          )
          expect(text).toMatch(alphabet)
          expect(gsmLength(text)).toBeLessThanOrEqual(160)
          expect(text.endsWith(` ${link} Reply STOP to end`)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
