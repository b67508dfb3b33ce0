import { lastDayOf, type Day } from '#services/finance/calendar'
import type { Entry } from '#services/finance/ledger/entry'
import {
  balanceContributions,
  recognizedContributions,
  revenueContributions,
} from '#services/finance/reports/entry-contributions'
import { monthsOfFigure, partOfFigure, type Figure } from '#services/finance/reports/figure'
import { lineContributions, type LineReport } from '#services/finance/reports/lines'
import { lastDay } from '#services/finance/reports/months-of'
import { partsOfFigure, type FigureParts } from '#services/finance/reports/parts-of-figure'
import type { Contribution, ReportParameters } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import type { LedgerReport } from '../ledger-reports.ts'
import { readBookings } from './bookings.ts'
import type { Explanation } from './explanation.ts'
import { pageOfBookings, type Page } from './page.ts'

type ContributionsOf = (entry: Entry, parameters: ReportParameters) => readonly Contribution[]

const contributionsOf = {
  revenue: revenueContributions,
  recognized: recognizedContributions,
  'trial-balance': balanceContributions,
  journal: (entry, parameters) => lineContributions('journal', entry, parameters),
  adjustments: (entry, parameters) => lineContributions('adjustments', entry, parameters),
} as const satisfies Readonly<Record<LedgerReport | LineReport, ContributionsOf>>

/** The contributions in the order of the log. */
export async function ledgerContributions(
  db: Queryable,
  report: LedgerReport | LineReport,
  figure: Figure,
  parameters: ReportParameters,
  page: Page,
): Promise<Explanation> {
  const months = monthsOfFigure(figure, parameters)
  if (months === null) return { contributions: [], next: null }
  const parts = partsOfFigure(report, figure.column)
  const partOf = partOfFigure(figure, parameters)
  const { entry_id: entryId } = figure.key
  const wanted = {
    // A month that has not ended counts up to the last day. A month before it has whole entries.
    through: earlier(lastDay(parameters), lastDayOf(months.last)),
    first: months.first,
    isBookedThere: report === 'revenue',
    isAfterClose: report === 'adjustments',
    isRare: isRareFigure(figure, parts),
    texts: textsOf(figure, parts, parameters),
    eventId: entryId === undefined ? null : (entryId.split('/')[0] ?? null),
    lastSeq: page.lastSeq ?? null,
  }
  const { items: contributions, next } = await pageOfBookings(
    page,
    (fromSeq, limit) => readBookings(db, { ...wanted, fromSeq }, limit),
    ({ seq, stream, revision, entries }) =>
      entries
        .flatMap((entry) => contributionsOf[report](entry, parameters))
        .map((each) => ({
          ...each,
          seq,
          stream,
          revision,
          amount: partOf(each),
        }))
        .filter(({ amount }) => amount !== 0),
  )
  return { contributions, next }
}

/** Texts that a booking behind the figure contains. */
function textsOf(
  { key: { plan, account } }: Figure,
  { signs }: FigureParts,
  { currency }: ReportParameters,
): readonly string[] {
  const texts = [currency, plan, account].filter(
    (text): text is string =>
      // Recognition is in no text: its accounts are those of every sale.
      Boolean(text) && text !== 'revenue' && text !== 'deferred_revenue',
  )
  return [
    ...texts,
    ...('tax' in signs ? ['tax_payable'] : []),
    ...('platform_fees' in signs ? ['platform_fees'] : []),
  ]
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b
}

/** Whether few bookings have the figure: those that give money back, or move a balance. */
function isRareFigure({ report, key }: Figure, { signs }: FigureParts): boolean {
  if (report === 'revenue') return !('gross' in signs || 'tax' in signs || 'platform_fees' in signs)
  return report === 'trial-balance' && rareAccounts.some((account) => account === key['account'])
}

const rareAccounts = ['customer_balance', 'refunds', 'credits', 'disputes'] as const
