import { rowKeyColumns, type ReportEventsResponse } from '#contracts/admin/reports'
import { customerOf } from '#services/finance/finance-event'
import { HttpError } from '#services/http/http-error'
import { kindOfFigure } from '#services/reports/figure-kind'
import { decimalAmount } from '#services/reports/formats/decimal-amount'
import type { ReportReader } from '#services/reports/report-reader'
import { toHistoryEvent } from '../history/history-event.ts'
import type { HistoryQueries } from '../history/history-queries.ts'
import { readEvents, type EventLogParts } from '../history/read-events.ts'
import type { AskedReport } from './asked-report.ts'

interface AskedFigure extends AskedReport {
  readonly column: string
  /** The texts that the rows of the figure have. The query can have other members. */
  readonly query: Readonly<Partial<Record<(typeof rowKeyColumns)[number], string | undefined>>>
  readonly after: number | null
  readonly pageSize: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

interface FigureParts {
  readonly reader: ReportReader
  readonly queries: Pick<HistoryQueries, 'emails'>
  readonly log: EventLogParts
}

/**
 * A page of the events behind a figure, in words.
 * @throws HttpError 400 if the report has no such figure
 */
export async function figureAnswer(
  { reader, queries, log }: FigureParts,
  { name, parameters, column, query, after, pageSize, signal }: AskedFigure,
): Promise<ReportEventsResponse> {
  const key = Object.fromEntries(
    rowKeyColumns.flatMap((each): [string, string][] => {
      const text = query[each]
      return text === undefined ? [] : [[each, text]]
    }),
  )
  const figure = { report: name, column, key }
  const kind = kindOfFigure(figure, parameters)
  if (typeof kind === 'string') throw new HttpError(400, kind)
  const { isAmount, isSum } = kind

  const { events, total, sum, next, position } = await reader.explain(
    figure,
    parameters,
    { after, limit: pageSize },
    signal,
  )
  const currency = isAmount ? parameters.currency : null
  const shown = (added: number) => (currency === null ? added : decimalAmount(added, currency))
  const [recorded, names] = await Promise.all([readEvents(log, events), log.administratorNames()])
  const emails = await queries.emails([...new Set(recorded.map(customerOf))])
  return {
    report: name,
    column,
    currency,
    sum: shown(sum),
    is_sum: isSum,
    position,
    total,
    next: next === null ? null : String(next),
    items: events.flatMap(({ day, adds }, index) => {
      const event = recorded[index]
      if (event === undefined) return []
      const id = customerOf(event)
      return [
        {
          day,
          adds: shown(adds),
          event: toHistoryEvent(event, { id, email: emails.get(id) ?? null }, names),
        },
      ]
    }),
  }
}
