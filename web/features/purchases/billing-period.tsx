import type { Instant } from '#contracts/instant'
import { formatDay } from '../../lib/dates.ts'
import { periodScale } from './period-scale.ts'
import './billing-period.css'

interface BillingPeriodProps {
  readonly start: Instant
  readonly end: Instant
  readonly now: Instant
}

/** The billing period as a horizontal scale: ticks for days, and a needle at today. */
export function BillingPeriod({ start, end, now }: BillingPeriodProps) {
  const { days, today, ticks, words } = periodScale(start, end, now)
  const at = (day: number) => ({ left: `${(day / days) * 100}%` })
  return (
    <div className={`period period-${labelPlace(today / days)}`}>
      <div className="period-scale" role="img" aria-label={words}>
        {ticks.map(({ day, long, passed }) => (
          <i
            key={`${day} ${long}`}
            className={`${long ? 'long' : ''} ${passed ? 'passed' : ''}`}
            style={at(day)}
          />
        ))}
        <b className="period-needle" style={at(today)} />
      </div>
      <div className="period-dates num">
        <span>{formatDay(start)}</span>
        <span className="period-today" style={at(today)} aria-hidden="true">
          Today
        </span>
        <span>{formatDay(end)}</span>
      </div>
    </div>
  )
}

/**
 * Near either end the label 'Today' would overlap the date there, so the label is above the needle.
 */
function labelPlace(share: number): 'between' | 'above-start' | 'above-end' | 'above' {
  if (share < 0.08) return 'above-start'
  if (share > 0.92) return 'above-end'
  return share < 0.34 || share > 0.66 ? 'above' : 'between'
}
