/** After a round of up to this duration, the next round begins early enough for a delay of 2 s. */
const longestFastRoundMs = 1_200
const longestPauseMs = 30_000

/**
 * Milliseconds from the end of a round of live updates to the next. A short round is followed by
 * the shortest pause, or by a pause of half of its duration. A longer round is followed by a longer
 * pause: its calls are expensive, and the changes cannot arrive within 2 s.
 */
export function pauseAfter(roundMs: number, shortestPauseMs: number): number {
  const pauseMs = Math.max(shortestPauseMs, roundMs / 2, 4 * (roundMs - longestFastRoundMs))
  return Math.min(pauseMs, longestPauseMs)
}
