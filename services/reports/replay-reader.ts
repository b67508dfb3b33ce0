import { reports } from '#contracts/finance/report-columns'
import { createAccountingDates } from '#services/finance/accounting-date'
import { monthOf, parseDay, parseMonth, type Month } from '#services/finance/calendar'
import type { FinanceEvent } from '#services/finance/finance-event'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'
import { reportByName } from './report-by-name.ts'
import type { ReportReader, FigureEvent } from './report-reader.ts'
import type {
  Contribution,
  ReportParameters,
  ReportRow,
} from '#services/finance/reports/report-types'
import type { Report } from './report.ts'
import { runReport, takeEvents, type ReportSource } from './run-report.ts'
import type { AccountingDates } from '#services/finance/accounting-date'

/** Reads every report from the whole log. Its time grows with the log. */
export function createReplayReader(source: ReportSource, timeZone: TimeZone): ReportReader {
  return {
    report: (name, parameters, computedAt) =>
      runReport(reportByName(name), parameters, source, { computedAt }),

    async explain(figure, parts, parameters) {
      const report = reportByName(figure.report)
      const dates = createAccountingDates(parameters.timeZone)
      // The contributions of a stock are of all months.
      const contributionsOf = contributionsOfEvents(report, { ...parameters, from: null }, dates)
      const events = new Map<string, FigureEvent>()
      let position: string | null = null
      const take = (event: FinanceEvent) => {
        for (const contribution of contributionsOf(event)) {
          const adds = parts.partOf(contribution)
          const before = events.get(event.id)
          if (before !== undefined) events.set(event.id, { ...before, adds: before.adds + adds })
          else if (adds !== 0)
            events.set(event.id, {
              stream: event.stream,
              revision: event.revision,
              day: contribution.day,
              adds,
            })
        }
        return []
      }
      for await (const page of takeEvents(report, parameters, source, dates, take))
        position = page.position
      return { events: [...events.values()].filter(({ adds }) => adds !== 0), position }
    },

    async state() {
      const dayOf = daysIn(timeZone)
      let firstMonth: Month | null = null
      let closedThrough: Month | null = null
      let position: string | null = null
      for await (const page of source.store.readAll(null)) {
        for (const { stream, type, metadata } of page) {
          const category = categoryOf(stream)
          const { occurredAt } = metadata
          if (firstMonth === null && category === 'billing' && typeof occurredAt === 'string')
            firstMonth = monthOf(dayOf(occurredAt))
          if (type === 'MonthCutOff' && category === 'close')
            closedThrough = later(closedThrough, parseMonth(streamOwner(stream)))
        }
        position = page.at(-1)?.position ?? position
      }
      return { firstMonth, closedThrough, position }
    },
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
  if (report.explain !== null) return report.explain(parameters, dates)
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
    row: { ...row, month: monthOf(day) },
    column,
    amount: Number(row[column] ?? 0),
  }
}
