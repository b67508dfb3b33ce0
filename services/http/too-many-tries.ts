/** The sentence of an exceeded rate limit. */
export function tooManyTries(seconds: number): string {
  return `Too many tries. Please wait ${inWords(seconds)} and try again.`
}

export function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
