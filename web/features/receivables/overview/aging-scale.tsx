import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { money, shareText } from '../shared/amounts.ts'
import { bucketName } from '../shared/buckets.ts'
import { countOf } from '../shared/days.ts'
import { invoicesPath } from '../shared/paths.ts'
import { toneOf } from '../shared/age-tone.ts'
import { agingBars } from './aging-bars.ts'
import type { OpenFigure } from '../shared/figure-drawer.tsx'
import './aging-scale.css'

type Column = ReceivablesOverview['aging']['columns'][number]

interface AgingScaleProps {
  readonly overview: ReceivablesOverview
  readonly isPast: boolean
  readonly onOpen: (figure: OpenFigure) => void
}

/** Days since the due date: one bar a day, and five columns with their sums. */
export function AgingScale({ overview, isPast, onOpen }: AgingScaleProps) {
  const { aging, asOf, currency } = overview
  const { bars, grid } = useMemo(() => agingBars(aging.days, asOf), [aging.days, asOf])
  const words = aging.columns
    .map(({ bucket, amount }) => `${bucketName(bucket)}: ${money(amount, currency)}`)
    .join('; ')
  return (
    <>
      <div className="aging-plot" role="img" aria-label={words}>
        {grid.map(({ amount, height }) => (
          <span key={amount} className="aging-grid" style={{ bottom: `${height}%` }}>
            <span>{money(amount, currency).replace(/\.0+$/, '')}</span>
          </span>
        ))}
        {bars.map(({ key, left, height, paused, daysOverdue }) => (
          <i
            key={key}
            className={`aging-bar ${toneOf(daysOverdue)} ${paused === 100 ? 'aging-paused' : ''}`}
            style={{ left: `${left}%`, height: `${height}%` }}
          >
            {paused > 0 && paused < 100 && <b style={{ height: `${paused}%` }} />}
          </i>
        ))}
        <span className="aging-needle" />
        <span className="aging-needle-label">{isPast ? 'Due that day' : 'Due today'}</span>
      </div>
      <Ticks />
      <ol className="aging-columns">
        {aging.columns.map((column) => (
          <li key={column.bucket} className={toneOfBucket(column.bucket)}>
            <ColumnSum
              column={column}
              currency={currency}
              overview={overview}
              isPast={isPast}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function Ticks() {
  return (
    <div className="aging-ticks" aria-hidden="true">
      {Array.from({ length: 151 }, (_, day) => (
        <i
          key={day}
          className={`${day % 10 === 0 ? 'aging-long' : ''} ${day > 30 ? 'aging-late' : ''}`}
          style={{ left: `${(day / 150) * 100}%` }}
        />
      ))}
    </div>
  )
}

/** Today's column opens its invoices, a past one its events. */
function ColumnSum({
  column,
  currency,
  overview,
  isPast,
  onOpen,
}: AgingScaleProps & { readonly column: Column; readonly currency: string }) {
  const { bucket, amount, count, share } = column
  const content = (
    <>
      <span className="label">{bucketName(bucket)}</span>
      <strong>{money(amount, currency)}</strong>
      <p>
        {countOf(count, 'invoice')}, {shareText(share)}
      </p>
    </>
  )
  if (isPast)
    return (
      <button
        type="button"
        onClick={() => onOpen({ figure: 'outstanding', bucket, title: bucketName(bucket) })}
      >
        {content}
      </button>
    )
  const isOnly = overview.currencies.length < 2
  return (
    <Link to={invoicesPath({ bucket, currency: isOnly ? undefined : currency })}>{content}</Link>
  )
}

function toneOfBucket(bucket: Column['bucket']): string {
  const order: readonly string[] = ['not-due', '1-30', '31-60', '61-90']
  const index = order.indexOf(bucket)
  return `aging-${index === -1 ? 3 : index}`
}
