import { applicationNames } from '#services/foundation/application-names'
import { createBackoff } from '#services/foundation/backoff'
import type { Clock } from '#services/foundation/clock'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { createWakeSignal } from '#services/foundation/wake-signal'
import { keepListening } from '#services/postgres/keep-listening'

export interface SessionWatch {
  /**
   * Calls `onEnd` once when the administrator's session with this handle has ended: at once if any
   * process deletes it, and when its time is over. Returns how to stop the watch.
   */
  watch(handle: string, onEnd: () => void): () => void
  close(): Promise<void>
}

interface SessionWatchParts {
  readonly connectionString: string
  /** When each of the sessions ends that has not ended. */
  readonly openSessions: (handles: readonly string[]) => Promise<ReadonlyMap<string, Date>>
  /** The security clock. */
  readonly clock: Clock
  readonly log: WarningLog
  /** For an end that PostgreSQL did not announce. Milliseconds. */
  readonly checkEveryMs?: number
}

const retryLimits = { firstMs: 500, longestMs: 5_000 }

/**
 * A trigger of PostgreSQL announces each deleted session (migration 0038). The process listens from
 * its first watch on. It also reads the watched sessions each 5 s, and when the next of them is
 * over: nothing announces an end by time, and a pooler in front of PostgreSQL may drop
 * notifications.
 */
export function createSessionWatch({
  connectionString,
  openSessions,
  clock,
  log,
  checkEveryMs = 5_000,
}: SessionWatchParts): SessionWatch {
  const watched = new Map<string, Set<() => void>>()
  const closing = new AbortController()
  const { signal } = closing
  const changes = createWakeSignal()
  let running: Promise<unknown> | null = null

  function end(handle: string): void {
    const listeners = watched.get(handle)
    watched.delete(handle)
    for (const onEnd of listeners ?? []) onEnd()
  }

  /** Milliseconds until the next session is over. */
  async function check(): Promise<number> {
    const handles = [...watched.keys()]
    if (handles.length === 0) return checkEveryMs
    const open = await openSessions(handles)
    for (const handle of handles) if (!open.has(handle)) end(handle)
    const ends = [...open.values()].map((endsAt) => endsAt.getTime() - clock.now().getTime())
    // The time of the end itself still belongs to the session.
    return Math.max(1, Math.min(checkEveryMs, ...ends.map((ms) => ms + 1)))
  }

  async function keepChecking(): Promise<void> {
    const backoff = createBackoff(retryLimits)
    const outage = createOutageLog(log, {
      began: "Reading the administrators' sessions failed; retrying with backoff.",
      lasts: "Reading the administrators' sessions still fails.",
      over: "Reading the administrators' sessions works again.",
    })
    while (!signal.aborted) {
      const seen = changes.count()
      const pauseMs = await check().then(
        (ms) => {
          backoff.reset()
          outage.over()
          return ms
        },
        (error: unknown) => {
          const againInMs = backoff.next()
          outage.failed(error, { againInMs })
          return againInMs
        },
      )
      await changes.wait(seen, pauseMs, signal)
    }
  }

  function start(): void {
    running ??= Promise.all([
      keepChecking(),
      keepListening(
        {
          connectionString,
          channel: 'ended_session',
          applicationName: applicationNames.sessionListener,
          onNotification: end,
          onGap: () => changes.wake(),
        },
        signal,
      ),
    ])
  }

  return {
    watch(handle, onEnd) {
      const listeners = watched.get(handle) ?? new Set()
      watched.set(handle, listeners.add(onEnd))
      start()
      // The session can have ended since it was loaded.
      changes.wake()
      return () => {
        listeners.delete(onEnd)
        if (listeners.size === 0 && watched.get(handle) === listeners) watched.delete(handle)
      }
    },
    async close() {
      closing.abort()
      await running
    },
  }
}
