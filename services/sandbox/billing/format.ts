/**
 * `$39.00`: an amount in minor units of its currency, by the currency's own number of decimals. The
 * minus is U+2212.
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** decimals).replace('-', '\u2212')
}

const day = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})
const dayOfYear = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
})
const time = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hour: 'numeric',
  minute: '2-digit',
})

/** `Mar 21, 2026`; seconds, UTC. */
export function formatDay(seconds: number): string {
  return day.format(seconds * 1000)
}

/** `Mar 21`; seconds, UTC. */
export function formatShortDay(seconds: number): string {
  return dayOfYear.format(seconds * 1000)
}

/** `9:12 AM`; seconds, UTC. */
export function formatTime(seconds: number): string {
  return time.format(seconds * 1000).replace('\u202f', ' ')
}

/** `21 Mar 2026`, as Stripe describes prorations; seconds, UTC. */
export function formatDayFirst(seconds: number): string {
  const { day: date, month, year } = partsOf(seconds)
  return `${date} ${month} ${year}`
}

function partsOf(seconds: number): Record<string, string> {
  return Object.fromEntries(
    day.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
  )
}

interface Recurring {
  readonly recurring: { readonly interval: string; readonly interval_count: number } | null
}

/** `a month`, `every 6 months`, `a year`. */
export function perInterval(price: Recurring): string {
  const { interval, interval_count: intervals } = price.recurring ?? {
    interval: 'month',
    interval_count: 1,
  }
  return intervals === 1 ? `a ${interval}` : `every ${intervals} ${interval}s`
}

/** `every month`, `every 6 months`. */
export function everyInterval(price: Recurring): string {
  const { interval, interval_count: intervals } = price.recurring ?? {
    interval: 'month',
    interval_count: 1,
  }
  return intervals === 1 ? `every ${interval}` : `every ${intervals} ${interval}s`
}
