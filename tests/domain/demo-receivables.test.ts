import { describe, expect, it } from '@jest/globals'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { parseClientId, parseReceivableId, parseUserId } from '#contracts/ids'
import { addDays, dayOfNumber, daysBetween, parseDay } from '#services/finance/calendar'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import { planMerchant } from '../../scripts/billing/demo/receivables/plan-merchant.ts'
import type { PlannedInvoice } from '../../scripts/billing/demo/receivables/planned-act.ts'

/** 2027-03-01. */
const today = dayOfNumber(20_878)
const merchants = Array.from({ length: 60 }, (_, index) => planMerchant(1, index, today))
const invoices = merchants.flat().flatMap((client) => client.invoices)

const merchantId = parseUserId('usr_0123456789abcdef01234567')
const owner = {
  merchantId,
  clientId: parseClientId('client_0123456789abcdef0123456789abcdef'),
  receivableId: parseReceivableId('receivable_0123456789ab-cdef-0123-4567-89abcdef'),
}

/** The invoice after its acts. @throws Error if one is refused */
function play({ number, day, details, acts }: PlannedInvoice) {
  const add = { type: 'add-receivable', ...owner, number, currency: 'usd', details } as const
  return [{ day, act: add }, ...acts].reduce((state, { day: on, act }) => {
    const at = `${on}T17:00:00.000Z`
    const decided = receivableDecider.decide({ ...act, merchantId, today: on, at }, state)
    if (decided.kind === 'refused') throw new Error(`${number}: ${JSON.stringify(decided.refusal)}`)
    return decided.events.reduce(
      (next, event) => receivableDecider.evolve(next, event as ReceivableEvent),
      state,
    )
  }, receivableDecider.initialState)
}

describe('the receivables of the demo', () => {
  it('are the same for the same seed and merchant, and others for others', () => {
    expect(planMerchant(1, 3, today)).toEqual(merchants[3])
    expect(planMerchant(2, 3, today)).not.toEqual(merchants[3])
    expect(merchants[2]).not.toEqual(merchants[3])
  })

  it('are of the two years up to today, in the order of their days', () => {
    const isInOrder = (days: readonly string[]) =>
      days.every((each, index) => index === 0 || (days[index - 1] ?? '') <= each)
    const wrong = invoices.filter(
      ({ details, day, acts }) =>
        daysBetween(day, today) > 730 ||
        details.dueDate <= day ||
        !isInOrder([day, ...acts.map((act) => act.day), today]),
    )
    expect(wrong).toEqual([])
  })

  it('are accepted by the rules of receivables', () => {
    expect(invoices.length).toBeGreaterThan(1_000)
    expect(() => invoices.map(play)).not.toThrow()
  })

  it('are paid after very different times, and some are never paid', () => {
    const old = invoices.filter(({ details }) => details.dueDate < addDays(today, -160))
    const states = old.map(play).filter((state) => state.kind !== 'none')
    expect(states.every((state) => openOf(state) === 0 || state.disputedBy !== null)).toBe(true)
    expect(states.filter((state) => state.ended?.kind === 'written-off').length).toBeGreaterThan(5)
    const late = old.flatMap(({ details, acts }) =>
      acts
        .filter(({ act }) => act.type === 'record-payment')
        .map(({ day }) => daysBetween(parseDay(details.dueDate) ?? today, day)),
    )
    const share = (min: number) => late.filter((days) => days >= min).length / late.length
    expect(share(1)).toBeGreaterThan(0.3)
    expect(share(30)).toBeGreaterThan(0.05)
    expect(share(30)).toBeLessThan(0.25)
  })

  it('have every act that the demo shows', () => {
    const types = new Set(invoices.flatMap(({ acts }) => acts.map(({ act }) => act.type)))
    expect([...types].toSorted()).toEqual([
      'cancel-receivable',
      'dispute-receivable',
      'hold-reminders',
      'issue-credit-memo',
      'promise-payment',
      'record-payment',
      'resolve-dispute',
      'reverse-payment',
      'write-off-receivable',
    ])
  })
})
