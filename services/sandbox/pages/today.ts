/** The system's time in seconds: the calendar of the visitors, who are on this machine. */
export function today(): number {
  return Math.floor(Date.now() / 1000)
}
