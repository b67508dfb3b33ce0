import { Skeleton } from '../../../ui/skeleton.tsx'
import { stripMarks, type StripMark, type StripScale } from './strip-scale.ts'
import './history-strip.css'

/** The height of a tick, in the units of the drawing, which is 1000 wide and 44 high. */
const heights = {
  paid: 30,
  failed: 30,
  returned: 24,
  'plan-change': 18,
  other: 12,
} as const satisfies Record<StripMark, number>

const legend = {
  paid: 'Payment',
  failed: 'Failed payment',
  returned: 'Refund or credit',
  'plan-change': 'Plan change',
  other: 'Account and mail',
} as const satisfies Record<StripMark, string>

/** The whole history on one line. One path per kind: a long history has thousands of ticks. */
export function HistoryStrip({ scale }: { scale: StripScale }) {
  return (
    <section className="panel strip" aria-label="History at a glance">
      <div className="strip-scale" role="img" aria-label={scale.words}>
        <div className="strip-axis">
          {scale.shown && (
            <span
              className="strip-shown"
              style={{ left: `${scale.shown.left}%`, width: `${scale.shown.width}%` }}
            />
          )}
          <svg viewBox="0 0 1000 44" preserveAspectRatio="none">
            {stripMarks.map((mark) => (
              <path
                key={mark}
                className={`strip-${mark}`}
                d={scale.ticks[mark]
                  .map((left) => `M${(left * 10).toFixed(1)} 44v-${heights[mark]}`)
                  .join('')}
              />
            ))}
          </svg>
          <b className="strip-needle" style={{ left: `${scale.needle}%` }} />
        </div>
        <div className="strip-labels num">
          {scale.labels.map(({ left, text }) => (
            <span key={left} style={{ left: `${left}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <Legend />
    </section>
  )
}

function Legend() {
  return (
    <ul className="strip-legend">
      {stripMarks.map((mark) => (
        <li key={mark}>
          <i className={`strip-${mark}`} aria-hidden="true" />
          {legend[mark]}
        </li>
      ))}
    </ul>
  )
}

/** The empty line until the first page has loaded. */
export function HistoryStripSkeleton() {
  return (
    <section className="panel strip" aria-label="History at a glance">
      <div className="strip-axis" />
      <div className="strip-labels">
        <Skeleton height="12px" />
      </div>
      <Legend />
    </section>
  )
}
