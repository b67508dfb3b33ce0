import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { FinanceEvent } from '#services/finance/finance-event'
import { compare } from '#services/finance/reconciliation/compare'
import { foldLogRecords, noLogRecords } from '#services/finance/reconciliation/log-records'
import { feeRecord } from '#services/reports/reconciliation/fee-records'
import { providerRecords } from '#services/reports/reconciliation/provider-records'
import { scopeOf } from '#services/reports/reconciliation/reconciliation-file'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { month, zone } from '../../support/data/finance-values.ts'
import { customerOnBothSides, type BothSides } from '../../support/data/both-sides.ts'
import { recorded } from '../../support/data/events.ts'
import { plants, type Plant } from '../../support/data/planted-differences.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

function logOf(events: readonly FinanceEvent[]) {
  const log = noLogRecords()
  for (const event of events) foldLogRecords(log, event)
  return log
}

function compared(sides: readonly BothSides[], scope?: Parameters<typeof compare>[2]) {
  const all = <Key extends keyof BothSides>(key: Key) => sides.map((each) => each[key])
  const objects = {
    invoices: all('invoice').flat(),
    charges: all('charge').flat(),
    refunds: all('refund').flat(),
    creditNotes: all('creditNote').flat(),
    disputes: all('dispute').flat(),
    subscriptions: all('subscription').flat(),
  }
  const fees = all('fee').flat().map(feeRecord)
  return compare(logOf(all('events').flat()), [...providerRecords(objects), ...fees], scope)
}

const named = ({ id, field }: { readonly id: ProviderRef; readonly field: string }) =>
  `${textOfRef(id)} ${field}`
const ofPlant = (plant: Plant, n: number) => named({ id: plant.id(n), field: plant.field })

describe('an event of an object whose first event was removed from the log', () => {
  const laterTypes = [
    'RefundStatusChanged',
    'CreditNoteVoided',
    'DisputeClosed',
    'SubscriptionRenewed',
    'SubscriptionEnded',
  ] as const

  it.each(laterTypes)('is named with its stream and what to do: %s', (type) => {
    const event = { type, data: samplePayloads[type] } as BillingEvent
    expect(() => logOf([recorded('billing-usr_1', event)])).toThrow(
      expect.objectContaining({
        name: 'DamagedHistory',
        message: expect.stringMatching(
          /^Event \S+ \(\w+, revision 0 of 'billing-usr_1'\) is about \S+, and the log has no earlier event .* Run 'billing events verify --manifest <file>', and restore a backup/,
        ),
      }),
    )
  })
})

describe('the comparison of the log with the provider', () => {
  it('finds nothing if both sides agree, and counts the objects', () => {
    expect(compared([customerOnBothSides(1), customerOnBothSides(2)])).toEqual({
      differences: [],
      compared: { payment: 2, refund: 2, 'credit note': 2, dispute: 2, fee: 2, subscription: 2 },
    })
  })

  it.each(Object.entries(plants))('names one difference for %s', (_, plant) => {
    const sides = [customerOnBothSides(1), plant.apply(customerOnBothSides(2), 2)]
    const { differences } = compared(sides)
    expect(differences.map(named)).toEqual([ofPlant(plant, 2)])
    const [found] = differences
    expect(found?.log).not.toEqual(found?.provider)
    if (plant.isInLog !== false) {
      const ids = sides.flatMap(({ events }) => events.map(({ id }) => id))
      expect(ids).toContain(found?.eventId)
    }
  })

  it('finds exactly the planted differences, whichever customers have one', () => {
    const arbitraryPlants = fc.array(
      fc.option(fc.constantFrom(...Object.values(plants)), { nil: null }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(arbitraryPlants, (chosen) => {
        const sides = chosen.map((plant, n) => {
          const side = customerOnBothSides(n)
          return plant === null ? side : plant.apply(side, n)
        })
        const expected = chosen.flatMap((plant, n) => (plant === null ? [] : [ofPlant(plant, n)]))
        expect(compared(sides).differences.map(named).toSorted()).toEqual(expected.toSorted())
      }),
    )
  })

  it('counts a pending refund of the log as refunded or as not refunded by the charge', () => {
    const side = customerOnBothSides(1)
    const pending = {
      ...side,
      events: side.events.map((event) =>
        event.type === 'RefundRecorded'
          ? { ...event, data: { ...event.data, status: 'pending' as const } }
          : event,
      ),
      refund: side.refund.map((each) => ({ ...each, status: 'pending' })),
    }
    for (const refunded of [0, 1_000])
      expect(
        compared([{ ...pending, charge: side.charge.map((each) => ({ ...each, refunded })) }])
          .differences,
      ).toEqual([])
    expect(
      compared([{ ...pending, charge: side.charge.map((each) => ({ ...each, refunded: 999 })) }])
        .differences,
    ).toMatchObject([{ field: 'refunded' }])
  })

  it('expects no charge for what was paid outside the provider', () => {
    const sides = customerOnBothSides(1)
    const events = sides.events.map((event) =>
      event.type === 'PaymentSucceeded'
        ? {
            ...event,
            data: {
              ...event.data,
              paidBy: [...event.data.paidBy, { kind: 'outside' as const, amount: 900 }],
            },
          }
        : event,
    )
    const charge = sides.charge.map((each) => ({ ...each, captured: 3000 }))
    expect(compared([{ ...sides, events, charge }]).differences).toEqual([])
    expect(compared([{ ...sides, events }]).differences).toMatchObject([
      { field: 'charged', log: { amount: 3000 }, provider: { amount: 3900 } },
    ])
  })

  it('leaves out what the product never records: drafts, untried and empty invoices, unpaid checkouts', () => {
    const side = customerOnBothSides(1)
    const [invoice, subscription] = [side.invoice[0], side.subscription[0]]
    if (invoice === undefined || subscription === undefined) throw new Error('No object.')
    const rest = { paymentRef: null, paymentRefs: [] }
    expect(
      compared([
        {
          ...side,
          invoice: [
            ...side.invoice,
            { ...invoice, ...rest, ref: refOf('in_draft'), status: 'draft' },
            { ...invoice, ...rest, ref: refOf('in_untried'), status: 'open', isAttempted: false },
            { ...invoice, ...rest, ref: refOf('in_trial'), isOfNothing: true },
          ],
          subscription: [
            ...side.subscription,
            { ...subscription, ref: refOf('sub_unpaid'), status: 'incomplete_expired' },
          ],
        },
      ]).differences,
    ).toEqual([])
  })

  it('keeps an object that only one side has in the months or the currency', () => {
    const moved = plants['another currency of a charge'].apply(customerOnBothSides(1), 1)
    const scope = { from: null, to: null, timeZone: zone('UTC') }
    expect(compared([moved], scopeOf({ ...scope, currency: 'usd' })).differences).toHaveLength(1)
    expect(compared([moved], scopeOf({ ...scope, currency: 'jpy' })).differences).toHaveLength(1)
    expect(compared([moved], scopeOf({ ...scope, currency: 'eur' })).compared).toMatchObject({
      payment: 0,
    })
  })

  it('has payments of the months, and subscriptions that ran in one of them', () => {
    const scope = (from: string, to: string) =>
      scopeOf({ from: month(from), to: month(to), currency: null, timeZone: zone('UTC') })
    expect(compared([customerOnBothSides(1)], scope('2026-05', '2026-06')).compared).toMatchObject({
      payment: 0,
      subscription: 1,
    })
    expect(compared([customerOnBothSides(1)], scope('2025-01', '2025-02')).compared).toMatchObject({
      payment: 0,
      subscription: 0,
    })
  })
})
