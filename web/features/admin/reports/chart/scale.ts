import type { Series } from './chart-spec.ts'

export interface Scale {
  readonly low: number
  readonly high: number
  /** Round values from `low` to `high`, both included. */
  readonly ticks: readonly number[]
}

/** About as many steps of the scale. */
const steps = 4

/**
 * A scale with round ticks that has 0 and all values: bars of a month are stacked from 0 upwards,
 * and negative ones downwards.
 */
export function scaleOf(series: readonly Series[]): Scale {
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  let [low, high] = [0, 0]
  for (let index = 0; index < count; index += 1) {
    let [below, above] = [0, 0]
    for (const { look, values } of series) {
      const value = values[index] ?? 0
      if (look !== 'bar') [low, high] = [Math.min(low, value), Math.max(high, value)]
      else if (value < 0) below += value
      else above += value
    }
    ;[low, high] = [Math.min(low, below), Math.max(high, above)]
  }
  const step = roundStep((high - low) / steps)
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), 1)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  return { low: first * step, high: last * step, ticks }
}

/** The next of 1, 2, 5, 10, 20 … Values are whole numbers. */
function roundStep(min: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, min))))
  return ([1, 2, 5].find((factor) => factor * power >= min) ?? 10) * power
}

export interface Bar {
  readonly series: Series
  readonly from: number
  readonly to: number
}

/** The stacked bars of a month. */
export function barsOf(series: readonly Series[], index: number): readonly Bar[] {
  const bars: Bar[] = []
  let [below, above] = [0, 0]
  for (const each of series) {
    const value = each.values[index] ?? 0
    if (each.look !== 'bar' || value === 0) continue
    if (value < 0) bars.push({ series: each, from: below + value, to: (below += value) - value })
    else bars.push({ series: each, from: above, to: (above += value) })
  }
  return bars
}
