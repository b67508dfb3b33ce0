import { reportNames, reports } from '#contracts/finance/report-columns'
import { createAccountingDates } from '#services/finance/accounting-date'
import { monthOf, parseDay, parseMonth, type Month } from '#services/finance/calendar'
import type { FinanceEvent } from '#services/finance/finance-event'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'
import { partOfFigure } from '#services/finance/reports/figure'
import { createFigureEvents } from './figure-events.ts'
import { reportByName } from './report-by-name.ts'
import type { ReportReader } from './report-reader.ts'
import type {
  Contribution,
  ReportParameters,
  ReportRow,
} from '#services/finance/reports/report-types'
import type { Report } from './report.ts'
import { runReport, takeEvents, type ReportSource } from './run-report.ts'
import type { AccountingDates } from '#services/finance/accounting-date'

/**
 * Reads every report from the whole log. Its time grows with the log. A call ends with the page of
 * the log during which its signal aborts.
 */
export function createReplayReader(source: ReportSource, timeZone: TimeZone): ReportReader {
  const until = (signal: AbortSignal): ReportSource => ({
    ...source,
    store: {
      readAll: (after, pageSize) => untilAborted(source.store.readAll(after, pageSize), signal),
    },
  })
  return {
    report: (name, parameters, { computedAt, signal }) =>
      runReport(reportByName(name), parameters, until(signal), { computedAt }),

    async explain(figure, parameters, asked, signal) {
      const report = reportByName(figure.report)
      const dates = createAccountingDates(parameters.timeZone)
      const contributionsOf = contributionsOfEvents(report, parameters, dates)
      const partOf = partOfFigure(figure, parameters)
      const events = createFigureEvents()
      let position: string | null = null
      const take = (event: FinanceEvent, seq: number) => {
        const { stream, revision } = event
        for (const contribution of contributionsOf(event)) {
          const adds = partOf(contribution)
          events.add({ seq, stream, revision, day: contribution.day, adds })
        }
        return []
      }
      for await (const page of takeEvents(report, parameters, until(signal), dates, take))
        position = page.position
      return { ...events.page(asked), position }
    },

    async state(signal) {
      const dayOf = daysIn(timeZone)
      let firstMonth: Month | null = null
      let closedThrough: Month | null = null
      let position: string | null = null
      for await (const page of until(signal).store.readAll(null)) {
        for (const { stream, type, metadata } of page) {
          const { occurredAt } = metadata
          if (firstMonth === null && readTypes.has(type) && typeof occurredAt === 'string')
            firstMonth = monthOf(dayOf(occurredAt))
          if (type === 'MonthCutOff' && categoryOf(stream) === 'close')
            closedThrough = later(closedThrough, parseMonth(streamOwner(stream)))
        }
        position = page.at(-1)?.position ?? position
      }
      // A replay ends with an error at an event that it cannot read.
      return {
        firstMonth,
        closedThrough,
        position,
        pausedSince: null,
        parkedCustomers: 0,
        skippedEvents: 0,
      }
    },
  }
}

/** The events that a report reads. */
const readTypes: ReadonlySet<string> = new Set(
  reportNames.flatMap((name) => [...reportByName(name).handles]),
)

async function* untilAborted<Page>(
  pages: AsyncIterable<Page>,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  signal.throwIfAborted()
  for await (const page of pages) {
    signal.throwIfAborted()
    yield page
  }
}

function later(a: Month | null, b: Month | null): Month | null {
  return a === null || (b !== null && b > a) ? b : a
}

function contributionsOfEvents(
  report: Report,
  parameters: ReportParameters,
  dates: AccountingDates,
): (event: FinanceEvent) => readonly Contribution[] {
  // The contributions of a stock are of all months.
  if (report.explain !== null) return report.explain({ ...parameters, from: null }, dates)
  // Each row of the report names its event, and its figures are what the event adds.
  const run = report.begin(parameters, dates)
  const figures = reports[report.name].columns.filter(({ kind }) => kind === 'amount')
  return (event) =>
    run.add(event).flatMap((row) => figures.map(({ name }) => ofLine(event, row, name)))
}

function ofLine(event: FinanceEvent, row: ReportRow, column: string): Contribution {
  const day = parseDay(String(row['date']))
  if (day === null)
    throw new Error(`The event ${event.id} has a line without a day. This is a bug; report it.`)
  return {
    eventId: event.id,
    day,
    row,
    column,
    amount: Number(row[column] ?? 0),
  }
}
