const day = 86_400

interface Mark {
  readonly at: number
  readonly isNow: boolean
}

/**
 * A time scale with a tick per day, or per week above 100 days, and vertical marks. The mark of the
 * current time is the needle. `label` describes the scale for screen readers. Times in seconds.
 */
export function TimeScale({
  from,
  to,
  passedUntil,
  marks,
  label,
}: {
  readonly from: number
  readonly to: number
  /** Ticks up to this time are drawn darker. */
  readonly passedUntil?: number
  readonly marks: readonly Mark[]
  readonly label: string
}) {
  const step = to - from > 100 * day ? 7 * day : day
  const place = (at: number): number =>
    Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  const isMarked = (at: number): boolean =>
    marks.some((mark) => Math.abs(place(mark.at) - place(at)) < 0.4)
  const ticks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => ({
    at: from + index * step,
    isLong: index % (step === day ? 7 : 4) === 0,
  }))
  return (
    <svg className="scale" width="100%" height="26" role="img" aria-label={label}>
      {ticks.map(({ at, isLong }) =>
        isMarked(at) ? null : (
          <line
            key={at}
            className={
              passedUntil !== undefined && at <= passedUntil
                ? 'scale-tick scale-passed'
                : 'scale-tick'
            }
            x1={`${place(at)}%`}
            x2={`${place(at)}%`}
            y1={isLong ? 9 : 13}
            y2="20"
          />
        ),
      )}
      <rect className="scale-line" x="0" y="19" width="100%" height="2" />
      {passedUntil !== undefined && (
        <rect
          className="scale-line scale-line-passed"
          x="0"
          y="19"
          width={`${place(passedUntil)}%`}
          height="2"
        />
      )}
      {marks.map(({ at, isNow }) => (
        // The shift keeps the marks at both ends inside the drawing.
        <rect
          key={at}
          className={isNow ? 'scale-needle' : 'scale-mark'}
          x={`${place(at)}%`}
          y="0"
          width="3"
          height="26"
          rx="1"
          transform={`translate(${-3 * (place(at) / 100)})`}
        />
      ))}
    </svg>
  )
}
