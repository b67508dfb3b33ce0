import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createAccountingDates } from '#services/finance/accounting-date'
import { dayOfNumber, monthOf } from '#services/finance/calendar'
import { customerOf, type FinanceEvent } from '#services/finance/finance-event'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { createRecognized } from '#services/finance/ledger/recognized'
import { createRevenue } from '#services/finance/ledger/revenue'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { arbitraryMoney } from '../../../support/data/arbitrary-money.ts'
import { month, zone } from '../../../support/data/finance-values.ts'
import { arbitraryPlatformFees, feeEvent } from '../../../support/data/platform-fees.ts'

const timeZone = zone('America/New_York')
const theEnd = dayOfNumber(30_000)

function entriesOf(events: readonly FinanceEvent[], closed?: string) {
  const dates = createAccountingDates(timeZone)
  if (closed !== undefined) dates.close(month(closed))
  const ledger = createLedger(dates)
  return events.flatMap((event) => entriesThrough(ledger.book(event), theEnd))
}

/** By currency: what was charged less what was returned. */
function feesOf(events: readonly FinanceEvent[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { type, data } of events) {
    if (type !== 'PlatformFeeCharged' && type !== 'PlatformFeeReturned') continue
    const sign = type === 'PlatformFeeCharged' ? 1 : -1
    sums[data.currency] = (sums[data.currency] ?? 0) + sign * data.amount
  }
  return withoutZeros(sums)
}

const withoutZeros = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))

const history = fc
  .tuple(arbitraryMoney, arbitraryPlatformFees)
  .map(([money, fees]): readonly FinanceEvent[] =>
    [...money, ...fees].toSorted((a, b) =>
      a.metadata.occurredAt < b.metadata.occurredAt ? -1 : 1,
    ),
  )

describe('the fees on payments of clients, in the books', () => {
  it('are revenue as they are charged, less what was returned', () => {
    fc.assert(
      fc.property(history, (events) => {
        const [trial, revenue] = [createTrialBalance(), createRevenue()]
        for (const entry of entriesOf(events)) {
          trial.add(entry)
          revenue.add(entry)
        }
        const balance: Record<string, number> = {}
        const difference: Record<string, number> = {}
        for (const { account, currency, debit, credit } of trial.rows()) {
          difference[currency] = (difference[currency] ?? 0) + debit - credit
          if (account === 'platform_fees') balance[currency] = credit - debit
        }
        expect(withoutZeros(difference)).toEqual({})
        expect(withoutZeros(balance)).toEqual(feesOf(events))
        const column: Record<string, number> = {}
        for (const { currency, platform_fees: fee } of revenue.rows())
          column[currency] = (column[currency] ?? 0) + fee
        expect(withoutZeros(column)).toEqual(feesOf(events))
      }),
    )
  })

  it('change no other measure of revenue, and nothing that is recognized by day', () => {
    fc.assert(
      fc.property(history, (events) => {
        const measuresOf = (some: readonly FinanceEvent[]) => {
          const [revenue, recognized] = [createRevenue(), createRecognized()]
          for (const entry of entriesOf(some)) {
            revenue.add(entry)
            recognized.add(entry)
          }
          const rows = revenue.rows().flatMap(({ platform_fees: _fees, ...row }) => {
            const { gross, refunds, credits, disputes, tax, net } = row
            const isEmpty = [gross, refunds, credits, disputes, tax, net].every(
              (each) => each === 0,
            )
            return isEmpty ? [] : [row]
          })
          return { rows, recognized: recognized.rows(monthOf(theEnd)) }
        }
        const sold = events.filter(({ stream }) => stream.startsWith('billing-'))
        expect(measuresOf(events)).toEqual(measuresOf(sold))
      }),
    )
  })

  it('belong to the merchant that pays them', () => {
    fc.assert(
      fc.property(arbitraryPlatformFees, (fees) => {
        for (const fee of fees) expect(customerOf(fee)).toBe(fee.data.merchantId)
      }),
    )
  })

  it('of a closed month are adjustments in the first open month', () => {
    const of = { merchantId: 'usr_1', clientId: 'client_1' }
    const feeRef = refOf('fee_1')
    const [late] = entriesOf(
      [
        feeEvent(of, {
          type: 'PlatformFeeCharged',
          data: { feeRef, chargedAt: '2026-03-30T09:00:00.000Z', currency: 'usd', amount: 63 },
        }),
      ],
      '2026-03',
    )
    expect(late).toMatchObject({ kind: 'platform-fee', date: '2026-04-01', adjusts: '2026-03' })
  })
})
