import './sparkline.css'

const width = 88
const height = 30
/** Space for the line's ends and for the mark of the last value. */
const inset = { left: 2, right: 4, top: 4, bottom: 4 }

/**
 * The course of a figure, without scale: the figure stands beside it. `label` says the same in
 * words. It becomes smaller beside a long figure. Nothing without a second value.
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return null
  const points = pointsOf(values)
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const last = points.at(-1)
  return (
    <svg
      className="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMax"
      fill="none"
      role="img"
      aria-label={label}
    >
      <path
        className="sparkline-area"
        d={`${line}L${width - inset.right} ${height}L${inset.left} ${height}Z`}
      />
      <path className="sparkline-line" d={line} />
      {last && <circle className="sparkline-last" cx={last.x} cy={last.y} r="2.6" />}
    </svg>
  )
}

/**
 * The values as points of the drawing, from the smallest at the bottom to the largest at the top.
 * Equal values are a level line at the bottom.
 */
function pointsOf(values: readonly number[]): readonly { x: number; y: number }[] {
  const smallest = Math.min(...values)
  const range = Math.max(...values) - smallest || 1
  const step = (width - inset.left - inset.right) / (values.length - 1)
  const rise = height - inset.top - inset.bottom
  return values.map((value, index) => ({
    x: rounded(inset.left + index * step),
    y: rounded(height - inset.bottom - ((value - smallest) / range) * rise),
  }))
}

const rounded = (length: number) => Math.round(length * 10) / 10
