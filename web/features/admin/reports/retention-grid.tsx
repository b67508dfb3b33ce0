import type { ReportParametersGiven } from '#contracts/admin/reports'
import { columnsOf, type Row } from './columns.ts'
import { DefinedHeader } from './defined-header.tsx'
import { openedFigure, type OpenFigure } from './opened-figure.ts'
import { FigureButton } from './figure-button.tsx'
import { minorOf, percent } from './amounts.ts'
import { monthInWords } from './months.ts'
import './retention-grid.css'

interface RetentionGridProps {
  readonly parameters: ReportParametersGiven
  readonly rows: readonly Row[]
  readonly onFigure: OpenFigure
}

/** A row per cohort, a column per month since its start. The color has the share, as the text. */
export function RetentionGrid({ parameters, rows, onFigure }: RetentionGridProps) {
  const columns = columnsOf('retention')
  const rate = columns.find(({ name }) => name === 'rate')
  const customers = columns.find(({ name }) => name === 'customers')
  const cohorts = [...new Set(rows.map((row) => String(row['cohort'])))].sort()
  const last = Math.max(0, ...rows.map((row) => Number(row['months'])))
  const ages = Array.from({ length: last + 1 }, (_, age) => age)
  if (rate === undefined || customers === undefined) return null
  return (
    <>
      <p className="grid-note">
        Share of the customers of a month who still pay, by months since their first payment.
        <span className="heat-scale" aria-hidden="true">
          0%
          {[0, 0.25, 0.5, 0.75, 1].map((heat) => (
            <i key={heat} className="heat" style={heatOf(heat)} />
          ))}
          100%
        </span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for scrolling by keyboard */}
      <div className="report-table" role="region" aria-label="Cohort retention: table" tabIndex={0}>
        <table className="retention-grid">
          <caption className="sr-only">Cohort retention</caption>
          <thead>
            <tr>
              {columns[0] && <DefinedHeader column={columns[0]} />}
              <DefinedHeader column={customers} />
              {ages.map((age) => (
                <th key={age} scope="col" className="retention-age">
                  {age}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map((cohort) => {
              const own = rows.filter((row) => row['cohort'] === cohort)
              const first = own.find((row) => row['months'] === 0) ?? own[0]
              return (
                <tr key={cohort}>
                  <th scope="row">{monthInWords(cohort)}</th>
                  <td className="align-right">
                    {first && (
                      <FigureButton
                        text={String(first['customers'])}
                        title={`customers, cohort ${monthInWords(cohort)}`}
                        onPress={() =>
                          onFigure(openedFigure('retention', parameters, first, customers))
                        }
                      />
                    )}
                  </td>
                  {ages.map((age) => {
                    const row = own.find((each) => each['months'] === age)
                    if (row === undefined) return <td key={age}>{'\u00a0'}</td>
                    const share = String(row['rate'] ?? '0.0000')
                    return (
                      <td key={age} className="heat" style={heatOf(minorOf(share) / 10_000)}>
                        <FigureButton
                          text={percent(share, 0)}
                          title={`retention after ${age} months, cohort ${monthInWords(cohort)}`}
                          onPress={() => onFigure(openedFigure('retention', parameters, row, rate))}
                        />
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The color of 100 %, in percent of the data color: the ink on it has enough contrast. */
const max = 52

const heatOf = (share: number) => ({
  background: `color-mix(in srgb, var(--data-1) ${share * max}%, var(--surface))`,
})
