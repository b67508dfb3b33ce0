import { lastDayOf, monthOf, type Day } from '#services/finance/calendar'
import type { Entry } from '#services/finance/ledger/entry'
import {
  balanceContributions,
  recognizedContributions,
  revenueContributions,
} from '#services/finance/reports/entry-contributions'
import { lastDay } from '#services/finance/reports/months-of'
import type { Contribution } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import type { LedgerReport } from '../ledger-reports.ts'
import { groupOf } from '../group-of.ts'
import { monthsOfFigure, type AskedFigure } from './asked-figure.ts'
import { readBookings } from './bookings.ts'
import type { Explanation } from './explanation.ts'
import { pageOfBookings } from './page.ts'

const contributionsOf = {
  revenue: revenueContributions,
  recognized: recognizedContributions,
  'trial-balance': balanceContributions,
} as const satisfies Readonly<Record<LedgerReport, (entry: Entry) => readonly Contribution[]>>

/** The contributions in the order of the log. */
export async function ledgerContributions(
  db: Queryable,
  report: LedgerReport,
  asked: AskedFigure,
): Promise<Explanation> {
  const { row, parts, parameters, page } = asked
  const months = monthsOfFigure(asked)
  // A month that has not ended counts up to the last day. A month before it has whole entries.
  const end = lastDay(parameters)
  const last = months === null ? monthOf(end) : months.last
  const group = groupOf(row)
  const isPart = (contribution: Contribution) =>
    contribution.amount !== 0 &&
    Object.hasOwn(parts.signs, contribution.column) &&
    groupOf(contribution.row) === group &&
    (months?.isOnlyLast !== true || contribution.row['month'] === last)
  const wanted = {
    through: earlier(end, lastDayOf(last)),
    first: months?.isOnlyLast === true ? last : null,
    isBookedThere: report === 'revenue',
    isAfterClose: false,
    isRare: isRareFigure(report, asked),
    texts: textsOf(asked),
  }
  const { items: contributions, next } = await pageOfBookings(
    page,
    (fromSeq, limit) => readBookings(db, { ...wanted, fromSeq }, limit),
    ({ userId, entries }) =>
      entries
        .flatMap(contributionsOf[report])
        .filter(isPart)
        .map((each) => ({
          ...each,
          userId,
          amount: (parts.signs[each.column] ?? 0) * each.amount,
        })),
  )
  return { contributions, next }
}

/** Texts that a booking behind the figure contains. */
function textsOf({ row, parts }: AskedFigure): readonly string[] {
  const texts = ['currency', 'plan', 'account'].flatMap((column) => {
    const text = row[column]
    // Recognition is in no text: its accounts are those of every sale.
    return typeof text === 'string' && text !== 'revenue' && text !== 'deferred_revenue'
      ? [text]
      : []
  })
  return 'tax' in parts.signs ? [...texts, 'tax_payable'] : texts
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b
}

/** Whether few bookings have the figure: those that give money back, or move a balance. */
function isRareFigure(report: LedgerReport, { row, parts }: AskedFigure): boolean {
  if (report === 'revenue') return !('gross' in parts.signs || 'tax' in parts.signs)
  return report === 'trial-balance' && rareAccounts.some((account) => account === row['account'])
}

const rareAccounts = ['customer_balance', 'refunds', 'credits', 'disputes'] as const
