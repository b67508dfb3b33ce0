const width = 104
const height = 30
const margin = 3

/**
 * A trend of values from 0 to 100 with a mark at the last point. Hidden from screen readers: the
 * number is beside it.
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  const points = values.map((value, index) => {
    const x = margin + (index * (width - 2 * margin)) / (values.length - 1)
    const y = height - margin - (value / 100) * (height - 2 * margin)
    return { x, y }
  })
  const line = points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
  const last = points.at(-1)
  return (
    <svg
      className="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      aria-hidden="true"
    >
      <path d={`${line}V${height}H${margin}Z`} fill="var(--data-3)" opacity=".28" />
      <path d={line} stroke="var(--data-1)" strokeWidth="1.5" strokeLinejoin="round" />
      {last && <circle cx={last.x} cy={last.y} r="2.6" fill="var(--data-1)" />}
    </svg>
  )
}
