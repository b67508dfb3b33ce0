import type { ReactNode } from 'react'
import './illustration.css'

/**
 * The frame of the six illustrations: measuring instruments in front elevation on a ground line.
 * Lines are 2 px, hatching 1 px, and one part has the accent: the part that points. The colors are
 * the `--il-…` tokens, which have values for light and deep grounds.
 */
export function Illustration({
  title,
  ticksAt,
  children,
}: {
  /** Names the picture for screen readers. */
  title: string
  /** The x of the first tick on the ground line. Without it, the instrument has its own scale. */
  ticksAt?: number
  children: ReactNode
}) {
  return (
    <svg className="illustration" viewBox="48 22 424 378" role="img" aria-label={title}>
      <path className="il-faint" d="M70 384H450" />
      {ticksAt !== undefined && (
        <path
          className="il-thin il-faint"
          d={`M${ticksAt} 384v-10m12 10v-6m12 6v-6m12 6v-10m12 10v-6m12 6v-6`}
        />
      )}
      {children}
    </svg>
  )
}

/** A part in one of the flat tones. `a` faces the light, `b` is in the shade. */
export function Part({ d, tone }: { d: string; tone: 'a' | 'b' | 'paper' | 'accent' | 'ink' }) {
  return <path d={d} fill={`var(--il-${tone})`} />
}

/** An edge of a hatched part: its x, or its x at the top and at the bottom. */
type Edge = number | readonly [atTop: number, atBottom: number]

/**
 * The hatching of a shaded part: rising lines between two edges. `rise` is how much higher a line
 * ends on the right. `step` is the distance of the lines.
 */
export function Hatching({
  top,
  bottom,
  left,
  right,
  rise = 8,
  step = 9,
}: {
  top: number
  bottom: number
  left: Edge
  right: Edge
  rise?: number
  step?: number
}) {
  const at = (edge: Edge, y: number) =>
    typeof edge === 'number' ? edge : edge[0] + ((edge[1] - edge[0]) * (y - top)) / (bottom - top)
  const lines: string[] = []
  for (let y = top + rise + step / 2; y < bottom; y += step) {
    lines.push(
      `M${short(at(left, y))} ${short(y)}L${short(at(right, y - rise))} ${short(y - rise)}`,
    )
  }
  return <path className="il-hatching" d={lines.join('')} />
}

/**
 * The ticks of a dial, inside its rim. Angles in degrees, clockwise from the top. `longEvery`
 * selects the long ticks; the first tick is long.
 */
export function dialTicks({
  center: [x, y],
  radius,
  from,
  to,
  count,
  longEvery,
  lengths: [long, short_],
}: {
  center: readonly [x: number, y: number]
  radius: number
  from: number
  to: number
  count: number
  longEvery: number
  lengths: readonly [long: number, short: number]
}): string {
  return Array.from({ length: count }, (_, index) => {
    const angle = from + ((to - from) * index) / (count - 1)
    const length = index % longEvery === 0 ? long : short_
    return `M${pointOnDial([x, y], radius, angle)}L${pointOnDial([x, y], radius - length, angle)}`
  }).join('')
}

/** The point at `radius` from the center, as `x y`. Angles as in `dialTicks`. */
export function pointOnDial(
  [x, y]: readonly [x: number, y: number],
  radius: number,
  angle: number,
): string {
  const radians = (angle * Math.PI) / 180
  return `${short(x + radius * Math.sin(radians))} ${short(y - radius * Math.cos(radians))}`
}

const short = (value: number): number => Math.round(value * 10) / 10
