import { LRUCache } from 'lru-cache'

/** More than there are zones: a name in capitals is another one. */
const keptClocks = 1_000
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: keptClocks })

/** Making a clock takes 50 µs, so each is made once. @throws RangeError for an unknown time zone */
export function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = newClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}

function newClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** Milliseconds that a clock of the zone is ahead of UTC. */
export function offsetAt(clock: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(ms / 1_000) * 1_000
}
