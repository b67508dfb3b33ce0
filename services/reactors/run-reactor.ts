import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import { canBeOneOf } from '#services/event-store/can-be-one-of'
import type { Position, StoredEvent } from '#services/event-store/event-store'
import { upToNewer, type NewerEvent } from '#services/event-store/newer-event'
import { createBackoff, type Backoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { sleep } from '#services/foundation/sleep'
import { createWakeSignal, type WakeSignal } from '#services/foundation/wake-signal'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { createLeftEntries, type LeftEntries } from './left-entries.ts'
import {
  addEntries,
  firstStart,
  moveCheckpoint,
  readCheckpoint,
  touchCheckpoint,
} from './outbox.ts'
import { performNext } from './perform-next.ts'
import type { Reactor, ReactorParts } from './reactor.ts'
import { createReleaseWait } from './wait-for-release.ts'

/** Runs the reactors. The returned function finishes the effects in progress and stops them. */
export function startReactors(
  reactors: readonly Reactor[],
  parts: ReactorParts,
): () => Promise<void> {
  const stop = new AbortController()
  // Each loop of each reactor listens.
  setMaxListeners(0, stop.signal)
  const running = reactors.map((reactor) => runReactor(reactor, parts, stop.signal))
  return async () => {
    stop.abort()
    await Promise.all(running)
  }
}

/** Between two effects while the other system is away. */
const pauseLimits = { firstMs: 1_000, longestMs: 60_000 }
const retryLimits = { firstMs: 100, longestMs: 5_000 }
/**
 * Events without an entry move the checkpoint only this often: a reactor that starts again reads
 * them again. Each move shows also that a process runs the reactor.
 */
const checkpointMs = 10_000
const parkedRetryMs = 60_000

/**
 * Runs a reactor until `signal` aborts. One loop reads the log and adds an outbox entry for each
 * event of a handled type. The other loops perform the effects of due entries, each one at a time.
 * Any number of processes may run the same reactor: an entry is unique, and a row lock gives its
 * effect to one loop of one process. Never rejects.
 */
async function runReactor(
  reactor: Reactor,
  parts: ReactorParts,
  signal: AbortSignal,
): Promise<void> {
  const added = createWakeSignal()
  const pause = createBackoff(pauseLimits)
  const log = parts.log.child({ reactor: reactor.name })
  const reading = {
    everyMs: 0,
    backoff: createBackoff(retryLimits),
    outage: createOutageLog(log, {
      began: 'A reactor cannot read the log or write its outbox; retrying with backoff.',
      lasts: 'A reactor still cannot read the log or write its outbox.',
      over: 'A reactor reads the log again.',
    }),
    signal,
  }
  const performing = () => ({
    everyMs: 0,
    backoff: createBackoff(retryLimits),
    outage: createOutageLog(log, {
      began: 'A reactor cannot read or write its outbox; retrying with backoff.',
      lasts: 'A reactor still cannot read or write its outbox.',
      over: 'A reactor performs its effects again.',
    }),
    signal,
  })
  const retrying = {
    everyMs: parts.parkedRetryMs ?? parkedRetryMs,
    backoff: createBackoff(retryLimits),
    outage: createOutageLog(log, {
      began: 'A reactor cannot retry what it has parked; retrying with backoff.',
      lasts: 'A reactor still cannot retry what it has parked.',
      over: 'A reactor retries what it has parked again.',
    }),
    signal,
  }
  const wait = createReleaseWait(`reactor ${reactor.name}`, parts, signal)
  const left = createLeftEntries(parts.parkedRetryMs ?? parkedRetryMs)
  const onAdded = (entries: number) => {
    reading.backoff.reset()
    reading.outage.over()
    if (entries > 0) added.wake()
  }
  await Promise.all([
    repeat(
      () =>
        wait.around(() =>
          addEntriesOfLog(reactor, parts, { onAdded, onRead: wait.passed }, signal),
        ),
      reading,
    ),
    ...(reactor.options.fold === undefined
      ? []
      : [repeat(() => retryParked(reactor, parts, added, signal), retrying)]),
    ...Array.from({ length: reactor.options.concurrency ?? 1 }, () =>
      repeat(() => performDue(reactor, parts, { added, pause, left, signal }), performing()),
    ),
  ])
}

/**
 * Resolves when `signal` aborts. Rejects with the first failure.
 * @throws NewerEvent: this release cannot know whether the newer release's reactor handles the
 * event, so the checkpoint stays before it
 */
async function addEntriesOfLog(
  { name, handles, options: { skipsOldEvents = false, canConcern = () => true, fold } }: Reactor,
  { pool, store, clock, catalogue }: ReactorParts,
  {
    onAdded,
    onRead,
  }: {
    readonly onAdded: (entries: number) => void
    /** The log is read up to this position. */
    readonly onRead: (position: Position) => void
  },
  signal: AbortSignal,
): Promise<void> {
  const logId = await store.identity()
  // The entry of an event of a damaged type fails, where an operator sees it.
  const isHandled = canBeOneOf(handles, catalogue)
  const since = skipsOldEvents ? await firstStart(pool, name, clock.now()) : null
  const failed = new AbortController()
  let position = await (fold === undefined
    ? readCheckpoint(pool, name, logId)
    : fold.position(pool, logId))
  if (position !== null) onRead(position)
  const add = async (events: readonly StoredEvent[]) => {
    const handled = events.filter(
      (event) =>
        isHandled(event) && canConcern(event) && (since === null || isRecordedSince(event, since)),
    )
    const last = events.at(-1)
    if (last === undefined) return
    if (handled.length > 0)
      await onConnectionOf(pool, durableTransaction, async (tx) => {
        const chosen = fold === undefined ? handled : await fold.choose(tx, handled, logId)
        await addEntries(tx, name, chosen)
        await moveCheckpoint(tx, name, logId, last.position)
      })
    ;({ position } = last)
    onAdded(handled.length)
    onRead(last.position)
  }
  const stopAt = async (newer: NewerEvent): Promise<never> => {
    await touchCheckpoint(pool, name)
    throw newer
  }
  const move = () => {
    if (position !== null)
      moveCheckpoint(pool, name, logId, position).catch((error) => failed.abort(error))
  }

  const moving = setInterval(move, checkpointMs)
  try {
    await store.subscribe({
      after: position,
      signal: AbortSignal.any([signal, failed.signal]),
      onEvents: async (events) => {
        if (failed.signal.aborted) return
        const { known, newer } = upToNewer(events, catalogue)
        await add(known)
          .then(() => (newer === null ? undefined : stopAt(newer)))
          .catch((error) => failed.abort(error))
      },
    })
  } finally {
    clearInterval(moving)
  }
  if (failed.signal.aborted) throw failed.signal.reason
}

/** Retries once what the fold of the reactor has parked, each in a separate transaction. */
async function retryParked(
  { name, options: { fold } }: Reactor,
  { pool, store }: ReactorParts,
  added: WakeSignal,
  signal: AbortSignal,
): Promise<void> {
  if (fold === undefined) return
  const logId = await store.identity()
  for (const key of await fold.parked(pool, logId)) {
    if (signal.aborted) return
    await onConnectionOf(pool, durableTransaction, async (tx) =>
      addEntries(tx, name, await fold.retry(tx, logId, key)),
    )
    added.wake()
  }
}

/** Performs every due entry, then waits for a new entry or the next look. */
async function performDue(
  reactor: Reactor,
  parts: ReactorParts,
  {
    added,
    pause,
    left,
    signal,
  }: {
    readonly added: WakeSignal
    readonly pause: Backoff
    readonly left: LeftEntries
    readonly signal: AbortSignal
  },
): Promise<void> {
  const seen = added.count()
  while (!signal.aborted) {
    const outcome = await performNext(reactor, parts, left)
    if (outcome === 'none') break
    if (outcome === 'outage') await sleep(pause.next(), signal)
    else pause.reset()
  }
  await added.wait(seen, parts.pollMs ?? 1_000, signal)
}

const recording = z.object({ recordedAt: z.string() })

/**
 * True also if the metadata cannot be read: the entry of this event then fails, where an operator
 * sees it, and the other events continue.
 */
function isRecordedSince({ metadata }: StoredEvent, since: string): boolean {
  const { success, data } = recording.safeParse(metadata)
  return !success || data.recordedAt >= since
}
