import { parseDay, type Day } from '#services/finance/calendar'
import { DamagedHistory } from '#services/foundation/damaged-history'

/** A day that the codec has checked. @throws Error for a text that is no day */
export function dayOf(text: string): Day {
  const day = parseDay(text)
  if (day !== null) return day
  throw new DamagedHistory(
    `${JSON.stringify(text)} is not a day. The log is damaged: run npm run billing -- events verify.`,
  )
}
