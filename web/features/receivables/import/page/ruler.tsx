import { formatCount } from '../../../../lib/money.ts'

interface RulerProps {
  readonly stored: number
  readonly total: number
  readonly isInterrupted?: boolean
}

const ticks = 40
const longEach = 10

/** Progress as a ruler. The needle is at the last stored row. */
export function Ruler({ stored, total, isInterrupted = false }: RulerProps) {
  const share = total === 0 ? 0 : (100 * stored) / total
  return (
    <div
      className={isInterrupted ? 'ruler ruler-interrupted' : 'ruler'}
      role="progressbar"
      aria-label="Rows stored"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={stored}
      aria-valuetext={`${formatCount(stored)} of ${formatCount(total)} rows`}
    >
      <span className="ruler-passed" style={{ width: `${share}%` }} />
      {Array.from({ length: ticks + 1 }, (_, tick) => {
        const left = (100 * tick) / ticks
        const classes = [
          tick % longEach === 0 ? 'ruler-long' : '',
          left <= share ? 'ruler-past' : '',
        ].join(' ')
        return <i key={tick} className={classes} style={{ left: `${left}%` }} />
      })}
      <b style={{ left: `${share}%` }} />
      <span className="ruler-scale" aria-hidden="true">
        <span>0</span>
        <span>{formatCount(Math.round(total / 2))}</span>
        <span>{formatCount(total)}</span>
      </span>
    </div>
  )
}
