import type { ReportName } from '#contracts/finance/report-columns'
import { monthOf } from '#services/finance/calendar'
import type { CountChange, RecognitionCounts } from '#services/finance/ledger/recognition-counts'
import { storedParts, type StoredPart } from '#services/finance/reports/figure-event'
import type { Contribution, ReportRow } from '#services/finance/reports/report-types'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { groupOf } from '../group-of.ts'
import { isOfRecognition } from '../of-recognition.ts'
import type { Addition } from './effects-of.ts'
import type { Place } from './place-rows.ts'

/** The figures of a group of rows, as the tables identify them. */
interface Group {
  readonly report: ReportName
  readonly figure: string
  readonly group: string
}

interface DaySum extends Group {
  readonly month: string
  readonly day: string
  events: number
  amount: number
}

interface RecognizedCount {
  readonly currency: string
  readonly from: string
  readonly day: string
  events: number
}

/** The events behind the figures of a batch, and how many there are by day. */
export interface FigureRows {
  add(place: Place, additions: readonly Addition[]): void
  /** The events behind figures that recognition moves: the bookings list them. */
  count(currency: string, counts: RecognitionCounts): void
  /** Adds the sums to those that are stored. A sum of 0 stays, whatever the batches. */
  save(): Promise<void>
}

export function createFigureRows(tx: Queryable, schema: string): FigureRows {
  const events: (Group & StoredPart & Pick<Place, 'seq'>)[] = []
  const days = new Map<string, DaySum>()
  const ranges = new Map<string, RecognizedCount>()

  function addDay(of: Omit<DaySum, 'events' | 'amount'>, count: number, amount: number): void {
    const key = `${of.report} ${of.figure} ${of.month} ${of.day} ${of.group}`
    const known = days.get(key)
    if (known === undefined) days.set(key, { ...of, events: count, amount })
    else {
      known.events += count
      known.amount += amount
    }
  }
  function countDays(
    of: Pick<Group, 'report' | 'figure'> & { readonly row: ReportRow },
    changes: readonly CountChange[],
  ): void {
    const group = groupOf(of.row)
    for (const { day, change } of changes)
      addDay({ report: of.report, figure: of.figure, group, month: monthOf(day), day }, change, 0)
  }

  return {
    add({ seq }, additions) {
      for (const [report, contributions] of byReport(additions))
        for (const part of storedParts(report, contributions)) {
          const of = { report, ...part, group: groupOf(part.row) }
          const isListed = part.adds !== 0 && !isOfRecognition(report, part.row)
          if (part.adds !== 0) addDay(of, isListed ? 1 : 0, part.adds)
          if (isListed) events.push({ ...of, seq })
        }
    },
    count(currency, { deferred, revenue, recognized }) {
      countDays({ report: 'recognized', figure: 'deferred_at_end', row: { currency } }, deferred)
      for (const [account, changes] of [
        ['deferred_revenue', deferred],
        ['revenue', revenue],
      ] as const)
        countDays({ report: 'trial-balance', figure: 'debit', row: { account, currency } }, changes)
      for (const { from, day, change } of recognized) {
        const range = { currency, from: from ?? '', day, events: change }
        const key = `${currency} ${range.from} ${day}`
        const known = ranges.get(key)
        if (known === undefined) ranges.set(key, range)
        else known.events += change
      }
    },
    async save() {
      await atOnce(
        () => saveEvents(tx, schema, events),
        () => saveDays(tx, schema, [...days.values()]),
        () => saveRecognized(tx, schema, [...ranges.values()]),
      )
    },
  }
}

function byReport(additions: readonly Addition[]): ReadonlyMap<ReportName, Contribution[]> {
  const reports = new Map<ReportName, Contribution[]>()
  for (const { report, contribution } of additions) {
    const known = reports.get(report)
    if (known === undefined) reports.set(report, [contribution])
    else known.push(contribution)
  }
  return reports
}

async function saveEvents(
  tx: Queryable,
  schema: string,
  rows: readonly (Group & StoredPart & Pick<Place, 'seq'>)[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `INSERT INTO ${schema}.figure_event (report, figure, "group", month, seq, day, amount)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])`,
    [
      rows.map(({ report }) => report),
      rows.map(({ figure }) => figure),
      rows.map(({ group }) => group),
      rows.map(({ month }) => month),
      rows.map(({ seq }) => seq),
      rows.map(({ day }) => day),
      rows.map(({ adds }) => adds),
    ],
  )
}

async function saveDays(tx: Queryable, schema: string, rows: readonly DaySum[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `INSERT INTO ${schema}.figure_day AS f (report, figure, "group", month, day, events, amount)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
     ON CONFLICT (report, figure, "group", month, day)
     DO UPDATE SET events = f.events + excluded.events, amount = f.amount + excluded.amount`,
    [
      rows.map(({ report }) => report),
      rows.map(({ figure }) => figure),
      rows.map(({ group }) => group),
      rows.map(({ month }) => month),
      rows.map(({ day }) => day),
      rows.map(({ events }) => events),
      rows.map(({ amount }) => amount),
    ],
  )
}

async function saveRecognized(
  tx: Queryable,
  schema: string,
  counts: readonly RecognizedCount[],
): Promise<void> {
  if (counts.length === 0) return
  await tx.query(
    `INSERT INTO ${schema}.recognized_count AS c (currency, from_month, day, events)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     ON CONFLICT (currency, from_month, day) DO UPDATE SET events = c.events + excluded.events`,
    [
      counts.map(({ currency }) => currency),
      counts.map(({ from }) => from),
      counts.map(({ day }) => day),
      counts.map(({ events }) => events),
    ],
  )
}
