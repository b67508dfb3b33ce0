import { instant, type Instant } from '#contracts/instant'

/** The texts of a date field and a time field, in UTC: `2026-03-03`, `09:12` or `09:12:04`. */
export interface AsOfInput {
  readonly date: string
  /** Empty: the end of the day. */
  readonly time: string
}

/**
 * The last instant that the input names: the end of the day without a time, of the minute without
 * seconds, else of the second. Null if the input is incomplete.
 */
export function endOfInput({ date, time }: AsOfInput): Instant | null {
  const [hours = '23', minutes = '59', seconds = '59'] = time === '' ? [] : time.split(':')
  const parsed = instant.safeParse(`${date}T${hours}:${minutes}:${seconds.slice(0, 2)}.999Z`)
  return parsed.success ? parsed.data : null
}

/** The input that names the instant. Null: an empty input. */
export function inputOf(asOf: Instant | null): AsOfInput {
  if (asOf === null) return { date: '', time: '' }
  const time = asOf.slice(11, 19)
  return { date: asOf.slice(0, 10), time: time === '23:59:59' ? '' : time }
}
