import { countOf } from '#services/foundation/format-count'
import type { BeforeClose } from './before-close-check.ts'

const msOfDay = 86_400_000
/** Days. Months are closed and sealed by turns, so an older seal was forgotten. */
const oldestSeal = 31

/** The age of the newest seal. `now` is in milliseconds. */
export function checkSeal(
  last: { readonly sequence: number; readonly sealedAt: string } | null,
  now: number,
): BeforeClose {
  const check = 'seal'
  if (last === null)
    return {
      check,
      outcome: 'finding',
      sentence: "The log has no seal. Run 'billing events seal'.",
    }
  // While the product does not run, the clock of a command stands at the last event.
  const days = Math.max(0, Math.floor((now - Date.parse(last.sealedAt)) / msOfDay))
  const sentence = `The newest seal is seal ${last.sequence} of ${last.sealedAt}, ${countOf(days, 'day')} old.`
  return days > oldestSeal
    ? { check, outcome: 'finding', sentence: `${sentence} Run 'billing events seal'.` }
    : { check, outcome: 'passed', sentence }
}
