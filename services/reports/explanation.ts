import type { ColumnKind, ReportColumn } from '#contracts/finance/report-columns'
import type { Contribution, ReportRow } from '#services/finance/reports/report-types'

const figures: readonly ColumnKind[] = ['amount', 'count', 'days', 'rate']

/**
 * The columns of an explained report: those that identify a row, and then the figure, what the
 * event adds to it, and the event. A computed figure, such as `net` or a rate, is explained by the
 * figures that it is computed from.
 */
export function explanationColumns(columns: readonly ReportColumn[]): readonly ReportColumn[] {
  return [
    ...columns.filter(({ kind }) => !figures.includes(kind) && kind !== 'id'),
    { name: 'figure', kind: 'text', definition: 'The column of the report.' },
    { name: 'amount', kind: 'amount', definition: 'What the event adds to an amount.' },
    { name: 'count', kind: 'count', definition: 'What the event adds to a count.' },
    { name: 'on', kind: 'day', definition: 'The day to which the event belongs.' },
    { name: 'event_id', kind: 'id', definition: 'The event of the log.' },
  ]
}

/** `columns` are the columns of the report that is explained. */
export function explanationRow(
  columns: readonly ReportColumn[],
  { eventId, day, row, column, amount }: Contribution,
): ReportRow {
  const isAmount = columns.find(({ name }) => name === column)?.kind === 'amount'
  return {
    ...row,
    figure: column,
    amount: isAmount ? amount : null,
    count: isAmount ? null : amount,
    on: day,
    event_id: eventId,
  }
}
