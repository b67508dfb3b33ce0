import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { feeInWords, feeOf } from '#contracts/receivables/fee'
import {
  fillGatewayLink,
  hostOfGatewayLink,
  linkProblemInWords,
  problemOfGatewayLink,
  takesAmount,
} from '#contracts/receivables/gateway-link'
import {
  changeGatewayLinkRequest,
  changeInstructionsRequest,
} from '#contracts/receivables/payments'

const link = 'https://pay.alder.example/i/{invoice}?sum={amount}&who={client}#pay'
const usd = (amount: number) => ({ amount, currency: 'usd' })
const problem = (text: string) => {
  const found = problemOfGatewayLink(text)
  return found === null ? null : linkProblemInWords(found)
}

describe('the link of an own gateway', () => {
  it.each([
    link,
    'https://pay.alder.example',
    'https://pay.alder.example?invoice={invoice}',
    'HTTPS://pay.alder.example:8443/{client}/{client}',
    'https://xn--bcher-kva.example/%20',
  ])('can be %s', (text) => {
    expect(problem(text)).toBeNull()
    expect(changeGatewayLinkRequest.parse({ link: ` ${text} `, seen: null }).link).toBe(text)
  })

  it.each([
    ['http://pay.alder.example/{invoice}', 'Character 1: A link begins with https://'],
    ['javascript:alert(1)', 'Character 1: A link begins with https://'],
    ['', 'Character 1: A link begins with https://'],
    ['https://pay.alder.example/{invoce}', 'Character 27: There is no variable {invoce}. The'],
    ['https://pay.alder.example/{Amount}', 'Character 27: There is no variable {Amount}.'],
    ['https://pay.alder.example/{toString}', 'Character 27: There is no variable {toString}.'],
    ['https://pay.alder.example/{}', 'Character 27: There is no variable {}.'],
    ['https://pay.alder.example/{invoice', 'Character 27: A variable has both braces'],
    ['https://pay.alder.example/}', 'Character 27: A variable has both braces'],
    ['https://pay.alder.example/{{invoice}}', 'Character 27: A variable has both braces'],
    ['https://{client}.example/', 'Character 9: A variable stands after the name of the site'],
    ['https://pay.alder.example{invoice}', 'Character 26: A variable stands after the name'],
    ['https://mara@pay.alder.example/', 'Character 13: A link has no user name'],
    ['https://bank.example@evil.example/', 'Character 21: A link has no user name'],
    ['https:///pay.alder.example', 'Character 9: Here is the name of the site'],
    ['https://pay/', 'Character 9: Here is the name of the site'],
    ['https://pay.alder.example:x/', 'Character 9: Here is the name of the site'],
    ['https://pay.alder.example/a b', 'Character 28: A link has no spaces.'],
    ['https://pay.alder.example/\u0000', 'Character 27: A link does not have a character that'],
    ['https://pay.alder.example/"', 'Character 27: A link does not have the character "'],
    ['https://pay.älder.example/', 'Character 13: A link does not have the character ä'],
    ['https://pay.alder.example\\@evil.example', 'Character 26: A link does not have'],
    ['https://pay.alder.example:99999/', 'Character 1: This is no address'],
    [`https://pay.alder.example/${'a'.repeat(2_000)}`, 'Character 2001: A link has 2,000'],
  ])('is refused with its place: %s', (text, sentence) => {
    expect(problem(text)).toContain(sentence)
    expect(changeGatewayLinkRequest.safeParse({ link: text, seen: null }).success).toBe(false)
  })

  it('is filled with encoded values and exact amounts', () => {
    const values = { invoice: 'AD/11 87&x=1', client: "O'Neill & Söhne #1" }
    expect(fillGatewayLink(link, { ...values, amount: usd(124_005) })).toBe(
      'https://pay.alder.example/i/AD%2F11%2087%26x%3D1?sum=1240.05&who=O%27Neill%20%26%20S%C3%B6hne%20%231#pay',
    )
    const amount = (minor: number, currency: string) =>
      fillGatewayLink('https://a.example/{amount}', {
        ...values,
        amount: { amount: minor, currency },
      }).slice('https://a.example/'.length)
    expect([
      amount(5, 'usd'),
      amount(5_000, 'usd'),
      amount(980, 'jpy'),
      amount(1_005, 'kwd'),
    ]).toEqual(['0.05', '50.00', '980', '1.005'])
    expect(amount(100_000_000_001, 'usd')).toBe('1000000000.01')
  })

  it('says whether a part can be paid, and which site it leads to', () => {
    expect(takesAmount(link)).toBe(true)
    expect(takesAmount('https://pay.alder.example/{invoice}')).toBe(false)
    expect(hostOfGatewayLink('https://Pay.Alder.example:8443/{client}')).toBe(
      'pay.alder.example:8443',
    )
  })

  it('leads to its own site and keeps each value whole, whatever the values are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 10 ** 11 }), (invoice, client, minor) => {
        const filled = new URL(
          fillGatewayLink('https://pay.alder.example/a?i={invoice}&c={client}&a={amount}', {
            invoice,
            client,
            amount: usd(minor),
          }),
        )
        expect(filled.host).toBe('pay.alder.example')
        expect(filled.pathname).toBe('/a')
        expect([...filled.searchParams.keys()]).toEqual(['i', 'c', 'a'])
        const read = (name: string) => filled.searchParams.get(name)
        expect(read('i')).toBe(invoice.replace(/\0|\p{Surrogate}/gu, '\uFFFD'))
        expect(read('c')).toBe(client.replace(/\0|\p{Surrogate}/gu, '\uFFFD'))
        expect(Math.round(Number(read('a')) * 100)).toBe(minor)
      }),
      { numRuns: 500 },
    )
  })

  it('of any text is filled or has a place inside the text', () => {
    const part = fc.constantFrom(
      'https://',
      'a.example',
      '/',
      '{invoice}',
      '{x',
      '}',
      '@',
      ' ',
      'ä',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        const found = problemOfGatewayLink(text)
        if (found === null) expect(hostOfGatewayLink(text)).toContain('a.example')
        else expect(found.place).toBeLessThanOrEqual([...text].length + 1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('written instructions', () => {
  const text = (given: string) => changeInstructionsRequest.parse({ text: given, seen: null }).text
  it('keep their lines', () => {
    expect(text(' Bank: Cascade\r\nAccount: 1\r\r\nThank you ')).toBe(
      'Bank: Cascade\nAccount: 1\n\nThank you',
    )
  })

  it.each([
    ['a control character', 'Bell \u0007'],
    ['a bidirectional override', 'a\u202eb'],
    ['no text', '  \n '],
    ['too much text', 'x'.repeat(2_001)],
  ])('with %s are refused', (_what, given) => {
    const request = { text: given, seen: null }
    expect(changeInstructionsRequest.safeParse(request).success).toBe(false)
  })
})

describe('the fee', () => {
  it('is rounded half up', () => {
    expect([feeOf(5_000, 500), feeOf(10, 500), feeOf(9, 500), feeOf(50, 300)]).toEqual([
      250, 1, 0, 2,
    ])
    expect(feeOf(100_000_000_000, 500)).toBe(5_000_000_000)
  })

  it('never differs by more than half a minor unit from the exact share', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 11 })
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (minor, basisPoints) => {
        const off =
          BigInt(feeOf(minor, basisPoints)) * 10_000n - BigInt(minor) * BigInt(basisPoints)
        expect(off > -5_000n && off <= 5_000n).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is said in one sentence', () => {
    expect(feeInWords(500, 'Stripe')).toBe(
      'Of a payment of $50.00 through your page, the fee of your plan is $2.50 (5%). Stripe’s own costs come on top and are yours.',
    )
    expect(feeInWords(300, 'Stripe')).toContain('$1.50 (3%)')
  })
})
