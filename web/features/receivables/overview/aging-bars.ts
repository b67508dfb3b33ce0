import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { daysBetween } from '../shared/days.ts'

type AgingDay = ReceivablesOverview['aging']['days'][number]

interface Bar {
  readonly key: string
  /** From 0 to 100, from the left and of the height. */
  readonly left: number
  readonly height: number
  /** How much of the height pauses, from 0 to 100. */
  readonly paused: number
  readonly daysOverdue: number
}

/** Days of a column. The first and the last one compress beyond it. */
const columnDays = 30
/** A column has a fifth of the width. */
const columnShare = 20
const lastColumnStart = 90

export interface AgingBars {
  readonly bars: readonly Bar[]
  /** Amounts in minor units with their height. */
  readonly grid: readonly { readonly amount: number; readonly height: number }[]
}

/** One bar per due date, placed by its days since the due date. */
export function agingBars(days: readonly AgingDay[], asOf: string): AgingBars {
  const aged = days.map((day) => ({ ...day, daysOverdue: daysBetween(day.dueDate, asOf) }))
  const ahead = Math.max(columnDays, ...aged.map(({ daysOverdue }) => -daysOverdue))
  const behind = Math.max(
    columnDays,
    ...aged.map(({ daysOverdue }) => daysOverdue - lastColumnStart),
  )
  const max = Math.max(1, ...aged.map(({ amount }) => amount))
  const step = niceStep(max)
  const top = Math.max(max, step) * 1.06
  return {
    bars: aged.map(({ dueDate, amount, pausedAmount, daysOverdue }) => ({
      key: dueDate,
      left: placeOf(daysOverdue, ahead, behind),
      height: (amount / top) * 100,
      paused: amount === 0 ? 0 : ((pausedAmount ?? 0) / amount) * 100,
      daysOverdue,
    })),
    grid: [1, 2, 3, 4]
      .map((line) => ({ amount: line * step, height: ((line * step) / top) * 100 }))
      .filter(({ height }) => height <= 100),
  }
}

function placeOf(daysOverdue: number, ahead: number, behind: number): number {
  if (daysOverdue <= 0) return ((ahead + daysOverdue) / ahead) * columnShare
  if (daysOverdue <= lastColumnStart)
    return columnShare + ((daysOverdue - 1) / columnDays) * columnShare
  return 80 + ((daysOverdue - lastColumnStart - 1) / behind) * columnShare
}

/** 1, 2 or 5 times a power of ten, so that two to four lines fit. */
function niceStep(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max))
  const step = [0.2, 0.5, 1, 2, 5].find((each) => max / (each * power) <= 4) ?? 5
  return Math.max(1, step * power)
}
