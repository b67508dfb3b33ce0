import { backOff } from 'exponential-backoff'
import { z } from 'zod'
import type pg from 'pg'
import { instant } from '#contracts/instant'
import { systemClock, type Clock } from './clock.ts'
import { dateColumn } from './columns.ts'
import { growingPauses } from './growing-pauses.ts'
import { createOutageLog, type WarningLog } from './outage-log.ts'
import { repeat } from './repeat.ts'
import type { Sleep } from './sleep.ts'
import { firstRow } from './rows.ts'

const clockAnswer = z.object({ now: instant })
const keptRow = z.object({ last_seen: dateColumn })
const pollEveryMs = 500
/** The longest time that the business clock lags a sandbox's clock that is advanced after an outage. */
const longestPauseMs = 10_000
const keepEveryMs = 10_000
/** The sandbox may start after the product. */
const firstReading = { numOfAttempts: 51, startingDelay: 200, timeMultiple: 1 }

export interface BusinessClock extends Clock {
  close(): Promise<void>
}

/**
 * The clock of events, periods and reports: real time, or the clock at `url` (CLOCK_URL). A tester can
 * advance the sandbox's clock. The business clock never runs backwards, also not after a restart: the
 * database keeps the latest value.
 * @throws Error if `url` does not answer with a time in 51 attempts, 200 ms apart
 */
export async function startBusinessClock(options: {
  pool: pg.Pool
  url: string | null
  log: WarningLog
  sleep?: Sleep
}): Promise<BusinessClock> {
  const { pool, url, log } = options
  let furthest = await readKept(pool)
  let offsetMs = url === null ? 0 : await backOff(() => offsetOf(url), firstReading)
  let keptAt = 0
  const stop = new AbortController()

  const clock: Clock = {
    now() {
      furthest = Math.max(furthest, systemClock.now().getTime() + offsetMs)
      return new Date(furthest)
    },
  }
  const following = repeat(follow, {
    everyMs: pollEveryMs,
    pauses: growingPauses({ firstMs: pollEveryMs, longestMs: longestPauseMs }),
    outage: createOutageLog(log, {
      began: 'Reading or storing the business clock failed; it continues from its last value.',
      lasts: 'Reading or storing the business clock still fails.',
      over: 'Reading and storing the business clock succeeds again.',
    }),
    signal: stop.signal,
    sleep: options.sleep,
  })
  return {
    ...clock,
    async close() {
      stop.abort()
      await following
      await keep(pool, clock.now())
    },
  }

  async function follow(): Promise<void> {
    const before = offsetMs
    if (url !== null) offsetMs = await offsetOf(url)
    const hasJumped = Math.abs(offsetMs - before) > 1_000
    if (hasJumped || systemClock.now().getTime() - keptAt > keepEveryMs) {
      await keep(pool, clock.now())
      keptAt = systemClock.now().getTime()
    }
  }
}

async function offsetOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  if (!response.ok) throw new Error(`CLOCK_URL answered with status ${response.status}.`)
  const { now } = clockAnswer.parse(await response.json())
  return Date.parse(now) - systemClock.now().getTime()
}

async function readKept(pool: pg.Pool): Promise<number> {
  const row = await firstRow(pool, keptRow, 'SELECT last_seen FROM app.business_clock')
  return row?.last_seen.getTime() ?? 0
}

async function keep(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `INSERT INTO app.business_clock (last_seen) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET last_seen = greatest(app.business_clock.last_seen, excluded.last_seen)`,
    [now],
  )
}
