import { createBackoff } from '#services/foundation/backoff'
import { storedReason } from '#services/foundation/stored-reason'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import type { Sleep } from '#services/foundation/sleep'
import { reconcileEverything } from './reconcile-everything.ts'
import { reconcileEvents } from './reconcile-events.ts'
import type { ReconcilerProgress } from './reconciler-state.ts'
import {
  createReconcilerRun,
  type ReconcilerParts,
  type RunOptions,
  type RunResult,
} from './reconciler-run.ts'

/** The lock that one process holds while it reconciles. */
interface ReconcilerLease {
  /** Aborts if the lock is lost. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

export interface ReconcilerOptions extends ReconcilerParts {
  /** Null if another process holds the lease. */
  readonly takeLease: () => Promise<ReconcilerLease | null>
  readonly sleep?: Sleep
}

const reconcilerIntervalMs = 5 * 60_000
/** From one look at the time of the last run to the next. */
const checkMs = 5_000
const pauses = { firstMs: 5_000, longestMs: 60_000 }
/** 03:00 UTC. */
const nightlyHour = 3

/**
 * Runs every 5 minutes of the security clock over the provider's events, and after 03:00 UTC over
 * all customers. Each process may start a reconciler: the lease and the stored time of the last run
 * let one of them run. The returned function stops after the synchronizations in progress.
 */
export function startReconciler(options: ReconcilerOptions): () => Promise<void> {
  const { clock, log } = options
  const stop = new AbortController()
  const running = repeat(async () => void (await runIfDue(options, stop.signal)), {
    everyMs: checkMs,
    backoff: createBackoff(pauses),
    outage: createOutageLog(log, {
      began: 'The reconciler could not complete a run; it tries again.',
      lasts: 'The reconciler still cannot complete a run.',
      over: 'The reconciler completes its runs again.',
    }),
    signal: stop.signal,
    sleep: options.sleep,
  })
  log.info({ now: clock.now().toISOString() }, 'The reconciler has started.')
  return async () => {
    stop.abort()
    await running
  }
}

/**
 * Runs if a run is due, no other process runs, and the links of the customers can be read.
 * @returns null otherwise
 */
export async function runIfDue(
  options: ReconcilerOptions,
  signal: AbortSignal,
): Promise<RunResult | null> {
  const { state, clock, log } = options
  const isDue = async () => {
    const progress = await state.read()
    return isRunDue(progress, clock.now()) || isFullRunDue(progress, clock.now())
  }
  if (!(await isDue()) || !(await options.links.isReady())) return null
  const lease = await options.takeLease()
  if (lease === null) return null
  try {
    // Another process can have completed a run since the first look.
    if (!(await isDue())) return null
    const isFull = isFullRunDue(await state.read(), clock.now())
    const result = await reconcileNow(options, {
      isFull,
      signal: AbortSignal.any([signal, lease.lost]),
    })
    if (result.facts > 0)
      log.warn({ ...result }, 'The reconciler recorded facts that no webhook had reported.')
    return result
  } finally {
    await lease.release()
  }
}

/**
 * One run over the events, and with `isFull` over all customers. With `skipsEvents`, a full run
 * lists no events: it continues after more events than one run can list. The cursor then moves to
 * the newest event at the start. The caller holds the lease.
 * @throws if the provider's events cannot be listed, or the product's own log or database fails
 */
export async function reconcileNow(
  parts: ReconcilerParts,
  {
    isFull,
    skipsEvents = false,
    ...options
  }: RunOptions & { readonly isFull: boolean; readonly skipsEvents?: boolean },
): Promise<RunResult> {
  const run = createReconcilerRun(parts, options)
  try {
    const newest = skipsEvents ? await parts.feed.newest() : null
    if (!skipsEvents) await reconcileEvents(parts, run)
    if (isFull) await reconcileEverything(parts, run)
    if (newest !== null) await parts.state.moveCursor(newest)
  } catch (error) {
    if (!options.signal.aborted) await parts.state.failed(storedReason(error))
    throw error
  }
  options.signal.throwIfAborted()
  await parts.state.completed()
  return run.result()
}

/** A time in the future was written by a wrong clock. */
function isRunDue(progress: ReconcilerProgress | null, now: Date): boolean {
  const completedAt = progress?.completedAt ?? null
  if (completedAt === null) return true
  const ageMs = now.getTime() - Date.parse(completedAt)
  return ageMs >= reconcilerIntervalMs || ageMs < 0
}

/** True if no full run began since the latest 03:00 UTC. */
export function isFullRunDue(progress: ReconcilerProgress | null, now: Date): boolean {
  const startedAt = progress?.fullStartedAt ?? null
  if (startedAt === null) return true
  const night = new Date(now)
  night.setUTCHours(nightlyHour, 0, 0, 0)
  if (night > now) night.setUTCDate(night.getUTCDate() - 1)
  return Date.parse(startedAt) < night.getTime()
}
