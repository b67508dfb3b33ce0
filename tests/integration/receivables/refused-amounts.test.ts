import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { AmountRefused } from '#services/payments/client-payments'
import { PaymentProviderRefused } from '#services/payments/payment-provider'
import { throwAmountRefusal } from '#services/payments/stripe/amount-refusal'
import { notPaidSentence } from '#services/receivables/portal/not-paid-sentence'
import { testContext } from '../../support/data/test-context.ts'
import { startPayingSide, type PayingSide } from '../../support/receivables/paying-side.ts'

/* Amounts that the provider takes no payment of, and what the client reads. */

let side: PayingSide
beforeAll(async () => {
  side = await startPayingSide()
}, 60_000)
afterAll(() => side.close())

describe('an amount that the provider does not take', () => {
  it.each([
    ['below the least', 49, 'too-small', 50],
    ['above the most', 100_000_000, 'too-large', 99_999_999],
  ])(
    '%s is refused with the bound, and leaves the invoice free',
    async (_what, amount, why, bound) => {
      const client = await side.newClient(amount)
      const refused = { kind: 'amount-refused', currency: 'usd', why, bound }
      expect(await client.pay([amount])).toEqual(refused)
      expect(await client.checkouts()).toMatchObject([{ standing: 'closed' }])
      expect(await client.pay([amount])).toEqual(refused)
    },
  )

  it.each([0, -1, Number.NaN, 701])('of %p asks for what is not open', async (amount) => {
    const client = await side.newClient(700)
    expect(await client.pay([amount])).toEqual({ kind: 'changed' })
    expect(await client.checkouts()).toEqual([])
  })

  it('in another currency asks for what is not open', async () => {
    const client = await side.newClient(700)
    const { items } = client.wanted(700)
    const { merchantId } = side
    expect(
      await side.product.pay(
        merchantId,
        client.clientId,
        { currency: 'eur', items },
        testContext(),
      ),
    ).toEqual({ kind: 'changed' })
  })

  it('is paid together with another invoice', async () => {
    const client = await side.newClient(40, 500)
    expect(await client.pay([40, null])).toMatchObject({ kind: 'amount-refused' })
    expect(await client.pay([40, 500])).toMatchObject({ kind: 'open' })
  })
})

describe('the words of Stripe', () => {
  const refusalOf = (code: string, message: string, currency = 'usd') => {
    const cause = new Stripe.errors.StripeInvalidRequestError({
      type: 'invalid_request_error',
      code,
      message,
    })
    try {
      return throwAmountRefusal(new PaymentProviderRefused('opening', cause), 'opening', currency)
    } catch (error) {
      return error
    }
  }

  it.each([
    ["The Checkout Session's total amount due must add up to at least $0.50 usd", 'usd', 50],
    ["The Checkout Session's total amount due must add up to at least ¥50 jpy", 'jpy', 50],
    ["The Checkout Session's total amount due must add up to at least $0.50 usd", 'eur', null],
    [
      'Amount must convert to at least 50 cents. €0.30 converts to approximately $0.33.',
      'eur',
      null,
    ],
    ['The amount is too small.', 'usd', null],
  ])('%s, in %s: the least is %s', (message, currency, bound) => {
    expect(refusalOf('amount_too_small', message, currency)).toMatchObject({
      why: 'too-small',
      bound,
    })
  })

  it('with digits in groups are read, and other refusals stay what they are', () => {
    expect(refusalOf('amount_too_large', 'Amount must be no more than $999,999.99')).toMatchObject({
      why: 'too-large',
      bound: 99_999_999,
    })
    const other = refusalOf('account_invalid', 'The account has no access.')
    expect(other).toBeInstanceOf(PaymentProviderRefused)
    expect(other).not.toBeInstanceOf(AmountRefused)
  })
})

describe('the sentence of the portal', () => {
  it.each([
    ['too-small', 50, 'The least that can be paid here is $0.50.'],
    ['too-small', null, 'This amount is too small to be paid here.'],
    ['too-large', 99_999_999, 'The most that can be paid here at once is $999,999.99.'],
    ['too-large', null, 'This amount is too large for one payment here.'],
  ] as const)('of %s with the bound %s', (why, bound, says) => {
    const result = { kind: 'amount-refused', currency: 'usd', why, bound } as const
    const sentence = notPaidSentence(result, 'Alder Dental')
    expect(sentence).toContain(says)
    expect(sentence).toMatch(/Nothing was paid\. .* or ask Alder Dental how to pay\.$/)
  })
})
