import type { Instant } from '#contracts/instant'

/** `Nov 25, 2026`, in the merchant's time zone. */
export const startedDay = (at: Instant, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone,
  }).format(new Date(at))
