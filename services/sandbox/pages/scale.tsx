const day = 86_400

interface Mark {
  readonly at: number
  readonly isNow: boolean
}

/**
 * The line: a stretch of time with a tick a day (a week when it is long) and upright marks. The
 * needle is the mark that is now. Facts are said in words by `label`; seconds.
 */
export function TimeScale({ from, to, passedUntil, marks, label }: {
  readonly from: number
  readonly to: number
  /** Ticks before this moment are drawn strong. */
  readonly passedUntil?: number
  readonly marks: readonly Mark[]
  readonly label: string
}) {
  const step = to - from > 100 * day ? 7 * day : day
  const ticks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
  const place = (at: number): number => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  return (
    <svg className="scale" width="100%" height="26" role="img" aria-label={label}>
      {ticks.map((tick, index) => {
        const isLong = index % (step === day ? 7 : 4) === 0
        const isPassed = passedUntil !== undefined && tick <= passedUntil
        return (
          <line key={tick} className={isPassed ? 'scale-tick scale-passed' : 'scale-tick'} x1={`${place(tick)}%`} x2={`${place(tick)}%`} y1={isLong ? 9 : 13} y2="20" />
        )
      })}
      <rect className="scale-line" x="0" y="19" width="100%" height="2" />
      {passedUntil !== undefined && <rect className="scale-line scale-line-passed" x="0" y="19" width={`${place(passedUntil)}%`} height="2" />}
      {marks.map(({ at, isNow }) => (
        // Kept inside the picture at both ends.
        <rect key={at} className={isNow ? 'scale-needle' : 'scale-mark'} x={`${place(at)}%`} y="0" width="3" height="26" rx="1" transform={`translate(${-3 * (place(at) / 100)})`} />
      ))}
    </svg>
  )
}
