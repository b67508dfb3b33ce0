import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { prorationsOf, type PricedItem } from '#services/sandbox/billing/proration'
import { recurringPrice } from '#services/sandbox/stripe/prices'

const item = fc
  .record({
    id: fc.constantFrom('price_a', 'price_b', 'price_c'),
    // Up to ten million US dollars: amount times seconds exceeds the exact integers of a number.
    amount: fc.integer({ min: 0, max: 1_000_000_000 }),
    quantity: fc.integer({ min: 1, max: 50 }),
  })
  .map(({ id, amount, quantity }): PricedItem => ({
    price: recurringPrice({
      id: `${id}_${amount}`,
      amount,
      created: 0,
      currency: 'usd',
      interval: 'month',
      intervalCount: 1,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: 'prod_sandbox_monthly',
    }),
    quantity,
  }))

/** A period of one second to four years, and a second in it. */
const moment = fc
  .tuple(
    fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
    fc.integer({ min: 1, max: 4 * 366 * 86_400 }),
    fc.nat(),
  )
  .map(([start, length, offset]) => ({
    period: { start, end: start + length },
    at: start + (offset % (length + 1)),
  }))

const change = (from: PricedItem, to: PricedItem, { period, at }: Moment, beginsPeriod = false) =>
  prorationsOf({ from, to, period, at, beginsPeriod })
type Moment = { period: { start: number; end: number }; at: number }
const sum = (amounts: readonly { amount: number }[]) =>
  amounts.reduce((total, { amount }) => total + amount, 0)
const isEqual = (a: PricedItem, b: PricedItem) =>
  a.price.id === b.price.id && a.quantity === b.quantity

/** `rounded` is `unit` × quantity × rest ÷ period, rounded half up: exact in integers. */
function expectShare({ price, quantity }: PricedItem, { period, at }: Moment, rounded: number) {
  const whole = BigInt(period.end - period.start)
  const exact = BigInt(price.unit_amount ?? 0) * BigInt(quantity) * BigInt(period.end - at)
  const error = 2n * (BigInt(rounded) * whole - exact)
  expect(error > -whole && error <= whole).toBe(true)
}

describe('the prorations of a plan change', () => {
  it('credit the unused time of the old price and charge the remaining time of the new price', () => {
    fc.assert(
      fc.property(item, item, moment, (from, to, when) => {
        fc.pre(!isEqual(from, to) && when.at < when.period.end)
        const lines = change(from, to, when)
        expect(lines.map(({ kind, period }) => [kind, period])).toEqual([
          ['unused', { start: when.at, end: when.period.end }],
          ['remaining', { start: when.at, end: when.period.end }],
        ])
        expectShare(from, when, -(lines[0]?.amount ?? NaN))
        expectShare(to, when, lines[1]?.amount ?? NaN)
      }),
    )
  })

  it('of two opposite changes in one second cancel out', () => {
    fc.assert(
      fc.property(item, item, moment, (a, b, when) => {
        expect(sum([...change(a, b, when), ...change(b, a, when)])).toBe(0)
      }),
    )
  })

  it('of a change through a third price equal the prorations of the direct change', () => {
    fc.assert(
      fc.property(item, item, item, moment, (a, b, c, when) => {
        expect(sum([...change(a, b, when), ...change(b, c, when)])).toBe(sum(change(a, c, when)))
      }),
    )
  })

  it('are only the credit if the change begins a period', () => {
    fc.assert(
      fc.property(item, item, moment, (from, to, when) => {
        expect(change(from, to, when, true)).toEqual(change(from, to, when).slice(0, 1))
      }),
    )
  })

  it('are the whole price at the period’s start, and nothing at its end', () => {
    fc.assert(
      fc.property(item, item, moment, (from, to, { period }) => {
        fc.pre(!isEqual(from, to))
        const total = ({ price, quantity }: PricedItem) => (price.unit_amount ?? 0) * quantity
        const atStart = change(from, to, { period, at: period.start })
        expect(sum(atStart)).toBe(total(to) - total(from))
        expect(change(from, to, { period, at: period.end })).toEqual([])
      }),
    )
  })
})
