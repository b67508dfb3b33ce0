import type { Instant } from '#contracts/instant'
import { countDays } from '../../../lib/dates.ts'

/** A list row states when the product learned of an event only from this delay on. */
const noticeableMs = 60_000

export const isNoticeable = (occurredAt: Instant, recordedAt: Instant) =>
  Math.abs(delayMs(occurredAt, recordedAt)) >= noticeableMs

/**
 * The time from the event to its record: `at once`, `0.4 s later`, `3 min later`, `5 h later`, `12
 * days later`. If the other system's clock is ahead, `earlier` replaces `later`.
 */
export function recordingDelay(occurredAt: Instant, recordedAt: Instant): string {
  const delay = delayMs(occurredAt, recordedAt)
  if (delay === 0) return 'at once'
  return `${inUnits(Math.abs(delay))} ${delay > 0 ? 'later' : 'earlier'}`
}

const delayMs = (occurredAt: Instant, recordedAt: Instant) =>
  Date.parse(recordedAt) - Date.parse(occurredAt)

function inUnits(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 0.1) return `${ms} ms`
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 59.5) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  if (hours < 47.5) return `${Math.round(hours)} h`
  return countDays(Math.round(hours / 24))
}
