import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type pg from 'pg'
import { instant } from '#contracts/instant'
import { systemClock, type Clock } from './clock.ts'
import { growingPauses } from './growing-pauses.ts'
import { createOutageLog, type WarningLog } from './outage-log.ts'
import { repeat, type Sleep } from './repeat.ts'

const clockAnswer = z.object({ now: instant })
const pollEveryMs = 500
/** Not longer: a sandbox's clock that is advanced right after an outage is followed within this time. */
const longestPauseMs = 10_000
const keepEveryMs = 10_000

export interface BusinessClock extends Clock {
  close(): Promise<void>
}

/**
 * The clock of events, periods and reports: real time, or CLOCK_URL's (the sandbox's, which may
 * be advanced). It never runs backwards, a restart included: the furthest value is kept.
 * @throws when CLOCK_URL does not answer within ten seconds.
 */
export async function startBusinessClock(options: {
  pool: pg.Pool
  url: string | null
  log: WarningLog
  sleep?: Sleep
}): Promise<BusinessClock> {
  const { pool, url, log } = options
  let furthest = await readKept(pool)
  let offsetMs = url === null ? 0 : await firstOffset(url)
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
      began: 'The business clock could not be read or kept; it continues from its last value.',
      lasts: 'The business clock still cannot be read or kept.',
      over: 'The business clock is read and kept again.',
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

async function firstOffset(url: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await offsetOf(url)
    } catch (error) {
      if (attempt >= 50) throw error
      await sleep(200)
    }
  }
}

async function offsetOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  if (!response.ok) throw new Error(`CLOCK_URL answered ${response.status}.`)
  const { now } = clockAnswer.parse(await response.json())
  return Date.parse(now) - systemClock.now().getTime()
}

async function readKept(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ last_seen: Date }>('SELECT last_seen FROM app.business_clock')
  return rows[0]?.last_seen.getTime() ?? 0
}

async function keep(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `INSERT INTO app.business_clock (last_seen) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET last_seen = greatest(app.business_clock.last_seen, excluded.last_seen)`,
    [now],
  )
}
