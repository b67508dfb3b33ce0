import type { Origin } from './entry.ts'
import type { BookingTime } from './booking-time.ts'
import { proportionOf } from './proportion.ts'

/**
 * Revenue that is recognized straight-line by day. Days are numbers: days since 1970-01-01. `to` is
 * the day after the last day, and is greater than `from`.
 */
export interface Segment {
  readonly amount: number
  readonly from: number
  readonly to: number
}

/** The part of a segment after the day `after`. A cut repeats it with the other sign. */
export interface SchedulePart extends Segment {
  readonly after: number
}

/**
 * What an event adds to the future of `revenue`. It is complete from the event on: no clock writes
 * an entry. A later event appends its own schedule and leaves this one unchanged.
 */
export interface Schedule extends Origin {
  readonly eventId: string
  readonly time: BookingTime
  readonly parts: readonly SchedulePart[]
}

/**
 * What is recognized by the end of a day. The cumulative amount is rounded, so the days add up to
 * the whole.
 */
function recognizedBy({ amount, from, to }: Segment, day: number): number {
  if (day < from) return 0
  return day >= to - 1 ? amount : proportionOf(amount, day - from + 1, to - from)
}

/** As `recognizedBy`, of a part. */
export function partRecognizedBy(part: SchedulePart, day: number): number {
  return day <= part.after ? 0 : recognizedBy(part, day) - recognizedBy(part, part.after)
}

/** The whole segment as a part. */
export function wholePart({ amount, from, to }: Segment): SchedulePart {
  return { amount, from, to, after: from - 1 }
}

/** What a part recognizes after a day. */
export function restOf(part: SchedulePart, day: number): number {
  return part.amount - recognizedBy(part, Math.max(day, part.after))
}

/** The same days and the other sign: both together recognize nothing. */
export function negated({ amount, from, to, after }: SchedulePart): SchedulePart {
  return { amount: -amount, from, to, after }
}
