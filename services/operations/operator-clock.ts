import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import {
  isTooFarAhead,
  startBusinessClock,
  type BusinessClock,
} from '#services/foundation/business-clock'
import { readClockAt, type FollowedClock } from '#services/foundation/followed-clock'
import { readStoredClock } from '#services/foundation/stored-clock'
import { followedClock } from '#services/settings/followed-clock'
import type { OperatorContext } from './operator-context.ts'
import { connectionsOfProduct } from './switch-log.ts'

/**
 * The business clock of an operator's command. The database has the product's time of up to 10 s
 * ago, and of a killed product no later one. So the clock begins at the newest events of the log at
 * the earliest, and no event of the command is dated before them.
 * @throws StartupError if the stored value is more than 1 hour ahead of the followed clock
 */
export async function startOperatorClock({
  config,
  pool,
  store,
  log,
}: Pick<OperatorContext, 'config' | 'pool' | 'store' | 'log'>): Promise<BusinessClock> {
  const notBefore = await lastRecordedAt(store)
  const known = Math.max(notBefore ?? 0, (await readStoredClock(pool)) ?? 0)
  const isRunning = (await connectionsOfProduct(pool)).length > 0
  const clock = followedClock(config)
  const followed = isRunning ? await readableClock(clock, known) : clock
  return startBusinessClock({ pool, followed, log, notBefore })
}

/** The clocks of two processes that append at the same time differ by less. Milliseconds. */
const longestSkew = 3_600_000
const newestEvents = 100

/**
 * The latest `recordedAt` of the newest events, in milliseconds since 1970. The last event can have
 * an earlier one than the event before it, from a process whose clock is a little ahead. It can
 * also be damaged: then the events before it count.
 */
async function lastRecordedAt(store: Pick<EventStore, 'readBackwards'>): Promise<number | null> {
  for await (const page of store.readBackwards(newestEvents)) {
    const times = page.flatMap(({ metadata }) => {
      const at = recorded.safeParse(metadata)
      return at.success ? [Date.parse(at.data.recordedAt)] : []
    })
    const [last] = times
    if (last !== undefined) return Math.max(...times.filter((time) => time - last < longestSkew))
  }
  return null
}

const recorded = z.object({ recordedAt: z.iso.datetime() })

/**
 * The sandbox of a running product can be read. Another product may use the port: its clock is not
 * at the time that this log knows.
 */
async function readableClock(clock: FollowedClock, known: number): Promise<FollowedClock> {
  if (clock.kind !== 'own-sandbox') return clock
  // A sandbox that does not answer leaves the stored value.
  const now = await readClockAt(clock.url).catch(() => null)
  return now === null || isTooFarAhead(known, now) ? clock : { kind: 'url', url: clock.url }
}
