import { addMonths } from '../billing/periods.ts'

const iso =
  /^P(?!$)(?:(\d{1,3})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/

/**
 * Adds an ISO 8601 duration such as `P1M` or `P1DT12H` to `from` (whole milliseconds). Null if
 * `duration` is not one. Months are calendar months in UTC.
 */
export function addDuration(from: number, duration: string): number | null {
  const match = iso.exec(duration)
  if (!match) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  // Full seconds: a number of seconds with a fraction is not exact after 2038.
  const wholeSeconds = Math.floor(from / 1000)
  const moved = addMonths(wholeSeconds, years * 12 + months)
  const added = (weeks * 7 + days) * 86_400 + hours * 3_600 + minutes * 60 + seconds
  return (moved + added) * 1000 + (from - wholeSeconds * 1000)
}
