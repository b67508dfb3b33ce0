import type { Instant } from '#contracts/instant'

/*
 * Dates of mails, in UTC: the reader's time zone is unknown.
 */

const days = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** `Mar 3, 2026` */
export function day(at: Instant): string {
  return days.format(new Date(at))
}

const times = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** `Mar 3, 2026, 9:12 AM UTC` */
export function dayAndTime(at: Instant): string {
  return `${day(at)}, ${times.format(new Date(at))} UTC`
}
