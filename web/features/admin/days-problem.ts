/** Why no day is between both days, and what to do. Null if a day is. */
export function daysProblem(
  from: string | null | undefined,
  to: string | null | undefined,
): string | null {
  // Days in the form 2026-03-01 are ordered as texts.
  if (from == null || to == null || from <= to) return null
  return 'The day From is after the day To, so no day is left. Change one of them.'
}
