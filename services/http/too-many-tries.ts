/** The sentences of an exceeded rate limit. `what` is the first of them. */
export function tooManyTries(seconds: number, what = 'Too many tries.'): string {
  return `${what} Please wait ${inWords(seconds)} and try again.`
}

export function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} minutes`
  return `${Math.ceil(seconds / 3_600)} hours`
}
