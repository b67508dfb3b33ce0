import { parseDay, type Day } from '#services/finance/calendar'
import { badRequest } from '#services/http/http-error'

/** A day of a request, which its contract has checked. @throws HttpError 400 */
export function askedDay(field: string, text: string): Day {
  const day = parseDay(text)
  if (day === null) throw badRequest(field, 'must be a day, such as 2026-11-25.')
  return day
}

/** Today if the request has none. @throws HttpError 400 for a day after today */
export function askedPastDay(field: string, text: string | undefined, today: Day): Day {
  if (text === undefined) return today
  const day = askedDay(field, text)
  if (day > today) throw badRequest(field, 'is in the future. Choose today or an earlier day.')
  return day
}
