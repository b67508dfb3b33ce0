import { unreachable } from '#services/foundation/decider'
import { monthOf, type Month } from '../calendar.ts'
import type { Account } from './accounts.ts'
import type { Entry, EntryKind } from './entry.ts'

/**
 * Minor units. `net` is `gross` less `refunds`, `credits` and `disputes`. Tax is apart, and so are
 * the fees on payments of clients, less what was returned of them.
 */
interface RevenueMeasures {
  readonly gross: number
  readonly refunds: number
  readonly credits: number
  readonly disputes: number
  readonly tax: number
  readonly net: number
  readonly platform_fees: number
}

interface RevenueRow extends RevenueMeasures {
  readonly month: Month
  /** Null for a fee on payments of clients, and for a payment that the log does not contain. */
  readonly planName: string | null
  readonly currency: string
}

/** The accounts whose changes, taken together, are what was sold less what was given back. */
const ofRevenue: ReadonlySet<Account> = new Set([
  'deferred_revenue',
  'revenue',
  'refunds',
  'credits',
  'disputes',
])

/** What an entry adds to the measures of its month. Every measure is a sum of the entry's lines. */
export function revenueOf({ kind, lines }: Entry): RevenueMeasures {
  let revenue = 0
  let tax = 0
  let fees = 0
  for (const { account, amount } of lines) {
    if (ofRevenue.has(account)) revenue -= amount
    if (account === 'tax_payable') tax -= amount
    if (account === 'platform_fees') fees -= amount
  }
  const measures = {
    gross: 0,
    refunds: 0,
    credits: 0,
    disputes: 0,
    tax,
    net: revenue,
    platform_fees: fees,
  }
  const measure = measureOf(kind)
  switch (measure) {
    case 'gross':
      return { ...measures, gross: revenue }
    case 'refunds':
      return { ...measures, refunds: -revenue }
    case 'credits':
      return { ...measures, credits: -revenue }
    case 'disputes':
      return { ...measures, disputes: -revenue }
    case 'platform_fees':
    case null:
      return measures
    default:
      return unreachable(measure)
  }
}

type EntryMeasure = Exclude<keyof RevenueMeasures, 'tax' | 'net'>

/** The measure to which entries of the kind add, apart from tax. */
export function measureOf(kind: EntryKind): EntryMeasure | null {
  switch (kind) {
    case 'sale':
      return 'gross'
    case 'refund':
    case 'refund-reversal':
      return 'refunds'
    case 'credit-invoice':
    case 'credit-note':
    case 'credit-note-void':
      return 'credits'
    case 'dispute':
    case 'dispute-won':
    case 'dispute-lost':
      return 'disputes'
    case 'platform-fee':
    case 'platform-fee-return':
      return 'platform_fees'
    case 'settlement':
    case 'recognition':
    case 'unpaid-invoice':
    case 'dispute-fee':
      return null
    default:
      return unreachable(kind)
  }
}

/** A measure to which events add. `net` is computed from these, without tax and fees. */
export type RevenueMeasure = Exclude<keyof RevenueMeasures, 'net'>

export interface Revenue {
  add(entry: Entry): void
  /** Adds a sum of one measure over entries of the month. */
  addSum(of: Omit<RevenueRow, keyof RevenueMeasures>, measure: RevenueMeasure, amount: number): void
  /** By month, currency and plan. A month in which nothing was sold or given back has no row. */
  rows(): readonly RevenueRow[]
}

export function createRevenue(): Revenue {
  const rows = new Map<string, RevenueRow>()
  const addTo = (
    { month, planName, currency }: Omit<RevenueRow, keyof RevenueMeasures>,
    measures: RevenueMeasures,
  ) => {
    const key = JSON.stringify([month, currency, planName])
    const known = rows.get(key)
    rows.set(
      key,
      known === undefined
        ? { month, planName, currency, ...measures }
        : { ...known, ...sumOf(known, measures) },
    )
  }
  return {
    add(entry) {
      if (measureOf(entry.kind) === null) return
      const { currency, planName, date } = entry
      addTo({ month: monthOf(date), planName, currency }, revenueOf(entry))
    },
    addSum: (of, measure, amount) =>
      addTo(of, { ...noRevenue, [measure]: amount, net: netSigns[measure] * amount }),
    rows: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  }
}

const noRevenue: RevenueMeasures = {
  gross: 0,
  refunds: 0,
  credits: 0,
  disputes: 0,
  tax: 0,
  net: 0,
  platform_fees: 0,
}

/** `net` is the sum of the measures with these signs. */
export const netSigns = {
  gross: 1,
  refunds: -1,
  credits: -1,
  disputes: -1,
  tax: 0,
  platform_fees: 0,
} as const satisfies Readonly<Record<RevenueMeasure, number>>

function sumOf(a: RevenueMeasures, b: RevenueMeasures): RevenueMeasures {
  return {
    gross: a.gross + b.gross,
    refunds: a.refunds + b.refunds,
    credits: a.credits + b.credits,
    disputes: a.disputes + b.disputes,
    tax: a.tax + b.tax,
    net: a.net + b.net,
    platform_fees: a.platform_fees + b.platform_fees,
  }
}
