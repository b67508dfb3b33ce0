import type { ReportParametersGiven, ReportsOverview } from '#contracts/admin/reports'
import {
  isFigure,
  reports,
  type ReportColumn,
  type ReportName,
} from '#contracts/finance/report-columns'
import { decimalOf, groupDigits, minorOf } from './amounts.ts'
import { columnsOf, titleOf, valueInWords, type Row } from './columns.ts'
import { CopiedId } from './copied-id.tsx'
import { DefinedHeader } from './defined-header.tsx'
import { openedFigure, rowInWords, type OpenFigure } from './opened-figure.ts'
import { FigureButton } from './figure-button.tsx'
import { MonthCell } from './month-cell.tsx'
import { totalRow } from './total-row.ts'
import './report-table.css'

interface ReportTableProps {
  readonly name: ReportName
  readonly parameters: ReportParametersGiven
  /** Rows of one currency. */
  readonly rows: readonly Row[]
  readonly currency: string | null
  readonly overview: ReportsOverview
  readonly onFigure: OpenFigure
}

/** The rows of a report. The currency is named once, above. Each figure opens its events. */
export function ReportTable(props: ReportTableProps) {
  const { name, parameters, rows, currency, overview, onFigure } = props
  // Ids are long, and a person reads the date first.
  const columns = columnsOf(name)
    .filter(({ kind }) => kind !== 'currency')
    .toSorted((a, b) => Number(a.kind === 'id') - Number(b.kind === 'id'))
  const total = totalRow(name, rows, currency)
  const caption =
    currency === null ? reports[name].title : `${reports[name].title}, ${currency.toUpperCase()}`
  const cell = (row: Row, column: ReportColumn) => {
    const text = valueInWords(row, column)
    if (text === null) return <span className="none">None</span>
    if (!isFigure(column))
      return column.kind === 'id' ? (
        <CopiedId id={text} what={titleOf(column).toLowerCase()} />
      ) : (
        text
      )
    if (isEmptySide(name, row, column)) return <span className="num none">{text}</span>
    return (
      <FigureButton
        text={text}
        title={[titleOf(column), ...rowInWords(name, row)].join(', ')}
        onPress={() => onFigure(openedFigure(name, parameters, row, column))}
      />
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for scrolling by keyboard
    <div className="report-table" role="region" aria-label={`${caption}: table`} tabIndex={0}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <DefinedHeader key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const isRepeated =
              row['month'] !== undefined && row['month'] === rows[index - 1]?.['month']
            return (
              <tr key={index} className={isRepeated ? 'is-repeated' : undefined}>
                {columns.map((column, place) => {
                  const content =
                    column.name === 'month' || column.name === 'closed_month' ? (
                      <MonthCell
                        month={String(row[column.name])}
                        overview={overview}
                        asOf={parameters.asOf}
                      />
                    ) : (
                      cell(row, column)
                    )
                  return place === 0 ? (
                    <th key={column.name} scope="row">
                      {content}
                    </th>
                  ) : (
                    <td key={column.name} className={isFigure(column) ? 'align-right' : undefined}>
                      {content}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
        {total !== null && (
          <TotalRow
            columns={columns}
            total={total}
            report={name}
            onFigure={(column) => onFigure(openedFigure(name, parameters, total, column))}
          />
        )}
      </table>
      {name === 'trial-balance' && currency !== null && total !== null && (
        <BalanceProof total={total} currency={currency} />
      )}
    </div>
  )
}

interface TotalRowProps {
  readonly columns: readonly ReportColumn[]
  readonly total: Row
  readonly report: ReportName
  readonly onFigure: (column: ReportColumn) => void
}

function TotalRow({ columns, total, report, onFigure }: TotalRowProps) {
  return (
    <tfoot>
      <tr>
        {columns.map((column, place) => {
          const text = column.name in total ? valueInWords(total, column) : ''
          if (place === 0)
            return (
              <th key={column.name} scope="row">
                Total
              </th>
            )
          return (
            <td key={column.name} className={isFigure(column) ? 'align-right' : undefined}>
              {column.name in total && isFigure(column) && text !== null && text !== '' ? (
                report === 'trial-balance' ? (
                  text
                ) : (
                  <FigureButton
                    text={text}
                    title={`${titleOf(column)}, total`}
                    onPress={() => onFigure(column)}
                  />
                )
              ) : null}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}

/**
 * Whether the column is the side of the trial balance that the balance is not on. Its events add up
 * to the balance, and not to the 0 of this side.
 */
const isEmptySide = (name: ReportName, row: Row, { name: side }: ReportColumn) =>
  name === 'trial-balance' &&
  minorOf(String(row[side])) === 0 &&
  minorOf(String(row[side === 'debit' ? 'credit' : 'debit'])) !== 0

/** Debits less credits: 0 in books that balance. */
function BalanceProof({ total, currency }: { total: Row; currency: string }) {
  const difference = minorOf(String(total['debit'])) - minorOf(String(total['credit']))
  const text = `${groupDigits(decimalOf(difference, currency))} ${currency.toUpperCase()}`
  return (
    <p className={`balance-proof num ${difference === 0 ? '' : 'is-broken'}`}>
      <i aria-hidden="true" />
      {difference === 0
        ? `Debits less credits: ${text}. The books balance.`
        : `Debits less credits: ${text}. The books do not balance.`}
    </p>
  )
}
