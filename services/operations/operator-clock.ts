import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import {
  isTooFarAhead,
  startBusinessClock,
  type BusinessClock,
} from '#services/foundation/business-clock'
import { readClockAt, type FollowedClock } from '#services/foundation/followed-clock'
import { readStoredClock } from '#services/foundation/stored-clock'
import { followedClock } from '#services/start/followed-clock'
import type { OperatorContext } from './operator-context.ts'
import { connectionsOfProduct } from './switch-log.ts'

/**
 * The business clock of an operator's command. The database has the product's time of up to 10 s
 * ago, and of a killed product no later one. So the clock begins at the last event of the log at
 * the earliest, and no event of the command is dated before it.
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

/** Milliseconds since 1970. */
async function lastRecordedAt(store: Pick<EventStore, 'readBackwards'>): Promise<number | null> {
  for await (const [event] of store.readBackwards(1)) {
    const at = recorded.safeParse(event?.metadata)
    return at.success ? Date.parse(at.data.recordedAt) : null
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
