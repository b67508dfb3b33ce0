import { parseDay, parseMonth, type Day, type Month } from '#services/finance/calendar'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'

/** @throws Error for a text that is no day */
export function day(text: string): Day {
  return known(parseDay(text), text)
}

/** @throws Error for a text that is no month */
export function month(text: string): Month {
  return known(parseMonth(text), text)
}

/** @throws Error for an unknown time zone */
export function zone(name: string): TimeZone {
  return known(parseTimeZone(name), name)
}

function known<Value>(value: Value | null, text: string): Value {
  if (value === null) throw new Error(`The test has an invalid value: ${text}.`)
  return value
}
