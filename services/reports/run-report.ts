import { reports } from '#contracts/finance/report-columns'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { ProvenLog } from '#services/event-store/audit/proven-log'
import type { StoredEvent } from '#services/event-store/event-store'
import { createAccountingDates, type AccountingDates } from '#services/finance/accounting-date'
import { parseDay } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { cutOff } from './closing/cut-off.ts'
import { explanationColumns, explanationRow } from './explanation.ts'
import { isOfFinance, isOfUnknownForm } from './finance-events.ts'
import type { ReportFile } from './formats/report-file.ts'
import { parametersInWords } from './parameters-in-words.ts'
import { isFinanceEvent, type FinanceEvent } from '#services/finance/finance-event'
import type { Report } from './report.ts'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'

export interface ReportSource {
  readonly store: Pick<ProvenLog, 'readAll'>
  /** A codec without personal keys: personal fields then read as '[erased]', at no cost. */
  readonly codec: Pick<EventCodec, 'decode'>
  /** Receives the number of events of each page. */
  readonly onEvents?: (count: number) => void
}

export interface ReportOptions {
  /** When the report is computed: the business clock's time. */
  readonly computedAt: string
  /**
   * Lists the events behind each figure instead of the figures. A report whose rows name their
   * events stays the same.
   */
  readonly isExplained?: boolean
}

/**
 * A report over the whole log, page by page. Its memory grows with customers and payments, not with
 * events.
 */
export function runReport(
  report: Report,
  parameters: ReportParameters,
  source: ReportSource,
  { computedAt, isExplained = false }: ReportOptions,
): ReportFile {
  const { title, columns } = reports[report.name]
  let position: string | null = null

  /** Yields the rows that `take` returns, page by page. */
  async function* eventsInto(
    take: (event: FinanceEvent) => readonly ReportRow[],
    dates: AccountingDates,
  ): AsyncGenerator<readonly ReportRow[]> {
    for await (const page of takeEvents(report, parameters, source, dates, take)) {
      position = page.position
      if (page.taken.length > 0) yield page.taken
    }
  }

  async function* figures(): AsyncGenerator<readonly ReportRow[]> {
    const dates = createAccountingDates(parameters.timeZone)
    const run = report.begin(parameters, dates)
    yield* eventsInto(run.add, dates)
    yield* inBatches(run.finish())
  }

  async function* explanations(
    explain: NonNullable<Report['explain']>,
  ): AsyncGenerator<readonly ReportRow[]> {
    const dates = createAccountingDates(parameters.timeZone)
    const contributionsOf = explain(parameters, dates)
    yield* eventsInto(
      (event) =>
        contributionsOf(event).map((contribution) => explanationRow(columns, contribution)),
      dates,
    )
  }

  const common = {
    name: report.name,
    parameters: parametersInWords(parameters),
    computedAt,
    position: () => position,
  }
  const { explain } = report
  return isExplained && explain !== null
    ? {
        ...common,
        title: `${title}: the events behind each figure`,
        columns: explanationColumns(columns),
        rows: () => explanations(explain),
      }
    : { ...common, title, columns, rows: figures }
}

/**
 * Takes each event that is known and that the report reads to `take`, in position order, with its
 * number in the log. Yields what it returned, once per page of the log, with the position of the
 * last known event.
 */
export async function* takeEvents<Taken>(
  report: Report,
  parameters: Pick<ReportParameters, 'knownAt' | 'timeZone'>,
  { store, codec, onEvents = () => undefined }: ReportSource,
  dates: AccountingDates,
  take: (event: FinanceEvent, seq: number) => readonly Taken[],
): AsyncGenerator<{ readonly taken: readonly Taken[]; readonly position: string | null }> {
  const isFolded = isFoldedBy(report)
  const isKnown = knownBy(parameters)
  let position: string | null = null
  let read = 0
  for await (const page of store.readAll(null)) {
    const numbers = new Map(page.map(({ id }, index) => [id, read + index + 1]))
    read += page.length
    const known = page.filter(isKnown)
    const events = await codec.decode(known.filter(isFolded))
    const taken = events.flatMap((event) => {
      if (event.type === 'MonthCutOff') cutOff(dates, event.data, parameters.timeZone)
      return isFinanceEvent(event) ? take(event, numbers.get(event.id) ?? 0) : []
    })
    position = known.at(-1)?.position ?? position
    onEvents(page.length)
    yield { taken, position }
  }
}

/**
 * Whether the report reads the event. A cut closes a month of every report. An event of a
 * newer release or of a damaged type is decoded, which fails: it could be about money.
 */
function isFoldedBy({ handles }: Report): (event: StoredEvent) => boolean {
  const types: ReadonlySet<string> = handles
  return (event) =>
    types.has(event.type) ||
    event.type === 'MonthCutOff' ||
    (isOfUnknownForm(event) && isOfFinance(event))
}

/**
 * Whether the event was recorded by `knownAt`. Takes the events in position order. The report's
 * position is that of such an event. Of each stream the first events are known: the clocks of two
 * processes differ, and no fold can take an event without the events before it.
 */
export function knownBy({
  knownAt,
  timeZone,
}: Pick<ReportParameters, 'knownAt' | 'timeZone'>): (event: StoredEvent) => boolean {
  if (knownAt === null) return () => true
  const day = parseDay(knownAt)
  const dayOf = daysIn(timeZone)
  const isRecorded = (at: string) => (day === null ? at <= knownAt : dayOf(at) <= day)
  const continued = new Set<string>()
  return ({ stream, metadata: { recordedAt } }) => {
    if (typeof recordedAt === 'string' && isRecorded(recordedAt) && !continued.has(stream))
      return true
    continued.add(stream)
    return false
  }
}

const rowsOfBatch = 1_000

function* inBatches(rows: Iterable<ReportRow>): Generator<readonly ReportRow[]> {
  let batch: ReportRow[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < rowsOfBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
