import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { formatCount } from '../../../../lib/money.ts'
import { compact, decimalOf, groupDigits, percent, rateTick } from '../amounts.ts'
import { monthInWords, shortMonth } from '../months.ts'
import type { ChartSpec, Series } from './chart-spec.ts'
import { barsOf, scaleOf, type Scale } from './scale.ts'
import './month-chart.css'

interface MonthChartProps {
  readonly chart: ChartSpec
  /** The month that has not ended. Its bars are paler. */
  readonly unfinished: string | null
  /** Shows the events of the chart's column in this month. */
  readonly onMonth: (month: string) => void
}

/**
 * A chart over months. The legend has the values of one month: of the one under the pointer or with
 * the focus, else of the last. Tab reaches one month, and the arrow keys, Home and End the others.
 * The table below has the same values.
 */
export function MonthChart({ chart, unfinished, onMonth }: MonthChartProps) {
  const titleId = useId()
  const { months, series, currency, unit } = chart
  const [pointed, setPointed] = useState<number | null>(null)
  const [tabStop, setTabStop] = useState<number | null>(null)
  const last = months.length - 1
  const shown = Math.min(pointed ?? last, last)
  const scale = scaleOf(series)
  const columns = useRef<HTMLDivElement>(null)
  const inWords = (value: number | null | undefined) => valueInWords(value, chart)

  function move(event: KeyboardEvent, from: number): void {
    const to = targetOf(event.key, from, last)
    if (to === null) return
    event.preventDefault()
    setTabStop(to)
    columns.current?.querySelectorAll('button')[to]?.focus()
  }

  return (
    <figure className="chart" aria-labelledby={titleId}>
      <figcaption>
        <h3 id={titleId}>
          {chart.title}
          {currency !== null && <span className="chart-unit"> {currency.toUpperCase()}</span>}
        </h3>
        <p className="chart-month num">{months[shown] && monthInWords(months[shown])}</p>
        <ul className="chart-legend">
          {series.map((each) => (
            <li key={each.name}>
              <i
                className={`chart-key chart-key-${each.look} tone-${each.tone}`}
                aria-hidden="true"
              />
              {each.name} <b className="num">{inWords(each.values[shown]) ?? 'None'}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="chart-plot">
        <div className="chart-scale num" aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${share(tick, scale)}%` }}>
              {unit === 'rate' ? rateTick(tick) : compact(tick, currency)}
            </span>
          ))}
        </div>
        <div className="chart-area">
          {scale.ticks.map((tick) => (
            <i
              key={tick}
              className={tick === 0 ? 'chart-line-zero' : 'chart-line-tick'}
              style={{ bottom: `${share(tick, scale)}%` }}
              aria-hidden="true"
            />
          ))}
          <Lines series={series} scale={scale} />
          <div
            ref={columns}
            className="chart-columns"
            role="group"
            aria-labelledby={titleId}
            onPointerLeave={() => setPointed(null)}
          >
            {months.map((month, index) => (
              <button
                key={month}
                type="button"
                className={`chart-column ${index === shown ? 'is-shown' : ''} ${month === unfinished ? 'is-unfinished' : ''}`}
                tabIndex={index === (tabStop ?? last) ? 0 : -1}
                aria-label={`${monthInWords(month)}: ${series
                  .map((each) => `${each.name} ${inWords(each.values[index]) ?? 'none'}`)
                  .join(', ')}`}
                onPointerEnter={() => setPointed(index)}
                onFocus={() => setPointed(index)}
                onBlur={() => setPointed(null)}
                onKeyDown={(event) => move(event, index)}
                onClick={() => onMonth(month)}
              >
                <Marks series={series} index={index} scale={scale} />
                <span className="chart-label" aria-hidden="true">
                  {isLabeled(index, months.length) && (
                    <>
                      {shortMonth(month)}
                      {(index === 0 || month.endsWith('-01')) && <small>{month.slice(0, 4)}</small>}
                    </>
                  )}
                </span>
              </button>
            ))}
          </div>
        </div>
      </div>
    </figure>
  )
}

/** The bars, and the dots and marks on them, of one month. */
function Marks({
  series,
  index,
  scale,
}: {
  series: readonly Series[]
  index: number
  scale: Scale
}) {
  return (
    <>
      {barsOf(series, index).map(({ series: { name, tone }, from, to }) => (
        <i
          key={name}
          className={`chart-bar tone-${tone}`}
          style={{
            bottom: `${share(from, scale)}%`,
            height: `${share(to, scale) - share(from, scale)}%`,
          }}
        />
      ))}
      {series.map(({ look, name, tone, values }) => {
        const value = values[index]
        return look === 'bar' || value == null ? null : (
          <i
            key={name}
            className={`chart-${look === 'line' ? 'dot' : 'mark'} tone-${tone}`}
            style={{ bottom: `${share(value, scale)}%` }}
          />
        )
      })}
    </>
  )
}

/** The lines between the months. They stretch with the chart. */
function Lines({ series, scale }: { series: readonly Series[]; scale: Scale }) {
  const lines = series.filter(({ look }) => look === 'line')
  if (lines.length === 0) return null
  return (
    <svg
      className="chart-lines"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ name, tone, values }) => (
        <path key={name} className={`tone-${tone}`} d={pathOf(values, scale)} />
      ))}
    </svg>
  )
}

function pathOf(values: readonly (number | null)[], scale: Scale): string {
  const step = 100 / values.length
  return values
    .map((value, index) => {
      if (value === null) return ''
      const isStart = index === 0 || values[index - 1] === null
      return `${isStart ? 'M' : 'L'}${((index + 0.5) * step).toFixed(2)} ${(100 - share(value, scale)).toFixed(2)}`
    })
    .join('')
}

/** Percent of the height. */
const share = (value: number, { low, high }: Scale) => ((value - low) / (high - low)) * 100

const rateOf = (tenThousandths: number) => (tenThousandths / 10_000).toFixed(4)

function valueInWords(
  value: number | null | undefined,
  { unit, currency }: Pick<ChartSpec, 'unit' | 'currency'>,
): string | null {
  if (value == null) return null
  if (unit === 'rate') return percent(rateOf(value))
  return currency === null ? formatCount(value) : groupDigits(decimalOf(value, currency))
}

/** Labels of more than 12 months would touch. */
const isLabeled = (index: number, count: number) => index % Math.ceil(count / 12) === 0

function targetOf(key: string, at: number, last: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(at + 1, last)
    case 'ArrowLeft':
      return Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
