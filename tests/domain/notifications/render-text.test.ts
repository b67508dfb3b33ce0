import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { gsmLength } from '#services/sms/gsm-text'
import { dunningDays, type DunningDay } from '#contracts/dunning'
import { linksAt } from '#services/notifications/links'
import { renderText } from '#services/notifications/render-text'
import { moneyText } from '#services/notifications/templates/words'

const sender = (name: string) => ({ brand: { name } })
const usd = (amount: number) => ({ amount, currency: 'usd' })
/** A PUBLIC_URL of 40 characters, and the link of every payment reminder. */
const publicUrl = 'https://billing.northgate-collections.us'
const url = linksAt(publicUrl).updateCard
/** The letters that the alphabet of texts has, of one and of two 7-bit characters. */
const letters = Array.from("ABCXYZabcxyzÄÖÑÜàéøß0189 &'().-€[~")

const fullWords = (day: DunningDay, amount: string) =>
  ({
    0: `your payment of ${amount} failed. Update your card:`,
    3: `${amount} is still unpaid. Update your card:`,
    5: `${amount} is unpaid, your plan is at risk. Update your card:`,
    7: `last reminder, ${amount} is unpaid. Update your card:`,
  })[day]

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
    expect(text).toBe(`${words} ${url}\nSTOP to opt out`)
  })

  it('writes names and amounts in the alphabet of texts', () => {
    const text = (name: string, currency: string) =>
      renderText(
        { kind: 'payment-failed', day: 3, due: { amount: 5000, currency }, url },
        sender(name),
      )
    expect(text('Café Šárka’s', 'kwd')).toMatch(/^Café Sarka's: KWD 5\.000 is still unpaid/)
    expect(text('Ledger', 'inr')).toMatch(/^Ledger: INR 50\.00 is still unpaid/)
    expect(text('Ledger', 'brl')).toMatch(/^Ledger: R\$50\.00/)
    expect(text('Ledger', 'krw')).toMatch(/^Ledger: KRW 5,000/)
    expect(text('Ledger', 'eur')).toMatch(/^Ledger: €50\.00/)
  })

  it('names the brand and the amount in full, up to 40 characters of each name, at an address of 40', () => {
    expect(publicUrl).toHaveLength(40)
    const name = fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 40 })
      .map((each) => each.join('').trim())
      .filter((each) => each !== '' && gsmLength(each) <= 40)
    fc.assert(
      fc.property(
        name,
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.constantFrom('usd', 'eur', 'jpy', 'kwd', 'inr', 'brl'),
        fc.constantFrom(...dunningDays),
        (brandName, amount, currency, day) => {
          const due = { amount, currency }
          const text = renderText({ kind: 'payment-failed', day, due, url }, sender(brandName))
          expect(gsmLength(text)).toBeLessThanOrEqual(160)
          expect(text.startsWith(`${brandName}: `)).toBe(true)
          const digits = moneyText(due).replace(/^\D+/, '')
          expect(text.slice(brandName.length).replace(url, '')).toContain(digits)
          expect(text.endsWith(` ${url}\nSTOP to opt out`)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is shortened only if it does not fit: the words first, then the name, never the rest', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z]{1,120}$/),
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.constantFrom(...dunningDays),
        fc.integer({ min: 20, max: 80 }),
        (name, amount, day, length) => {
          const link = 'https://billing.example/'.padEnd(length, 'x')
          const text = renderText(
            { kind: 'payment-failed', day, due: usd(amount), url: link },
            sender(name),
          )
          const shown = moneyText(usd(amount))
          const inFull = `${name}: ${fullWords(day, shown)} ${link}\nSTOP to opt out`
          if (inFull.length <= 160) return expect(text).toBe(inFull)
          expect(text).toContain(`${shown}`)
          expect(text).toContain(' Card: ')
          if (text.startsWith(`${name}: `)) return
          // The name is cut no shorter than needed.
          expect(name.startsWith(/^(.*?)\.\.\.: /.exec(text)?.[1] ?? '?')).toBe(true)
          expect(text.length).toBe(160)
        },
      ),
      { numRuns: 500 },
    )
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
          expect(text.endsWith(` ${link}\nSTOP to opt out`)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
