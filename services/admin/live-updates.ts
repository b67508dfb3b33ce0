import { heartbeatMs } from '#contracts/admin/live'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { sleep } from '#services/foundation/sleep'
import type { AdminPerson } from '#services/http/access'
import { eventFrame, retryFrame, type EventConnection } from '#services/http/event-stream'
import { HttpError } from '#services/http/http-error'
import type { SessionWatch } from '#services/http/sessions/session-watch'
import { pauseAfter } from './live-pace.ts'
import { createLiveRounds, roleFrame, type RoundParts, type Subscriber } from './live-rounds.ts'

export interface LiveUpdatesParts extends RoundParts {
  readonly sessions: Pick<SessionWatch, 'watch'>
  readonly log: WarningLog
  readonly limits?: LiveLimits
}

interface LiveLimits {
  readonly connections: number
  readonly connectionsOfSession: number
  /** The shortest pause from the end of one round to the next (`pauseAfter`). */
  readonly roundEveryMs: number
  readonly heartbeatMs: number
}

export interface LiveUpdates {
  /** @throws HttpError 429 if too many connections are open, 503 after `close` */
  assertRoom(session: string): void
  /** Sends the changes to the connection until one side ends the connection. */
  open(connection: EventConnection, viewer: Viewer, watched: readonly string[]): void
  /** The number of open connections. */
  readonly connections: number
  /** Ends all connections and the watch. Refuses new connections. */
  close(): Promise<void>
}

/** Whose connection it is, with the role that the screens show. */
interface Viewer {
  /** The handle of the session. */
  readonly session: string
  readonly person: Pick<AdminPerson, 'adminId' | 'role'>
}

const defaultLimits: LiveLimits = {
  connections: 1_000,
  connectionsOfSession: 10,
  roundEveryMs: 700,
  heartbeatMs,
}

const retryLimits = { firstMs: 500, longestMs: 5_000 }
const browserRetryMs = 1_000
const outageSentences = {
  began: 'Live updates of the dashboards failed; retrying with backoff.',
  lasts: 'Live updates of the dashboards still fail.',
  over: 'Live updates of the dashboards work again.',
}

/**
 * Sends the changes of the read models to the open dashboards. One loop per process polls the
 * checkpoints while at least one dashboard is open, so that changes by the projectors of any
 * process are seen. If a checkpoint has moved, the loop reads each watched call once and sends the
 * answers that differ to all dashboards that show the call. So the cost grows with the number of
 * different calls, not with the number of dashboards (docs/decisions/0021-live-updates.md).
 */
export function createLiveUpdates({
  positions,
  calls,
  sessions,
  personOf,
  log,
  limits = defaultLimits,
}: LiveUpdatesParts): LiveUpdates {
  const subscribers = new Set<Subscriber>()
  const closing = new AbortController()
  let running: Promise<void> | null = null
  const rounds = createLiveRounds({
    subscribers,
    positions,
    calls,
    personOf,
    heartbeatMs: limits.heartbeatMs,
    end,
    stopping: closing.signal,
  })

  async function watch(): Promise<void> {
    const idle = new AbortController()
    const signal = AbortSignal.any([closing.signal, idle.signal])
    await repeat(
      async () => {
        if (subscribers.size === 0) return idle.abort()
        const began = performance.now()
        await rounds.round()
        const pauseMs = pauseAfter(performance.now() - began, limits.roundEveryMs)
        // `repeat` waits the rest.
        await sleep(pauseMs - limits.roundEveryMs, signal)
      },
      {
        everyMs: limits.roundEveryMs,
        backoff: createBackoff(retryLimits),
        outage: createOutageLog(log, outageSentences),
        signal,
      },
    )
    running = null
    rounds.forget()
    // A dashboard that opened after the last round.
    if (subscribers.size > 0 && !closing.signal.aborted) start()
  }

  function start(): void {
    running ??= watch()
  }

  function end(subscriber: Subscriber): void {
    subscribers.delete(subscriber)
    subscriber.connection.send(eventFrame('ended', '{}'))
    subscriber.connection.end()
  }

  return {
    assertRoom(session) {
      if (closing.signal.aborted)
        throw new HttpError(503, 'This process is stopping. Try again in a moment.', {
          retryAfterSeconds: 1,
        })
      refuseCrowd(subscribers, session, limits)
    },
    open(connection, { session, person }, watched) {
      // The headers were sent while this process began to stop.
      if (closing.signal.aborted) return connection.end()
      const subscriber: Subscriber = {
        connection,
        session,
        person,
        watched,
        sent: new Map(),
        isNew: true,
      }
      subscribers.add(subscriber)
      const unwatch = sessions.watch(session, () => end(subscriber))
      connection.onEnd(() => {
        subscribers.delete(subscriber)
        unwatch()
      })
      connection.send(retryFrame(browserRetryMs))
      // The role may have changed while the browser had no connection.
      connection.send(roleFrame(person.role))
      start()
    },
    get connections() {
      return subscribers.size
    },
    async close() {
      closing.abort()
      for (const { connection } of subscribers) connection.end()
      await running
    },
  }
}

/** @throws HttpError 429 */
function refuseCrowd(
  subscribers: ReadonlySet<Subscriber>,
  session: string,
  limits: LiveLimits,
): void {
  const own = [...subscribers].filter((subscriber) => subscriber.session === session)
  if (own.length < limits.connectionsOfSession && subscribers.size < limits.connections) return
  throw new HttpError(
    429,
    'Too many pages receive live updates. Close other pages of the dashboard.',
    { retryAfterSeconds: 10 },
  )
}
