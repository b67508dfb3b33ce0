import { heartbeatMs, type LiveMoved, type LiveRole } from '#contracts/admin/live'
import type { AdminRole } from '#contracts/admin/roles'
import { createBackoff } from '#services/foundation/backoff'
import { inParallel } from '#services/foundation/in-parallel'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { sleep } from '#services/foundation/sleep'
import type { AdminPerson } from '#services/http/access'
import type { CallReader } from '#services/http/call-reader'
import { eventFrame, retryFrame, type EventConnection } from '#services/http/event-stream'
import { HttpError } from '#services/http/http-error'
import type { SessionWatch } from '#services/http/sessions/session-watch'
import { pauseAfter } from './live-pace.ts'

export interface LiveUpdatesParts {
  readonly positions: () => Promise<
    readonly { readonly name: string; readonly position: string; readonly state: string }[]
  >
  readonly calls: CallReader
  readonly sessions: Pick<SessionWatch, 'watch'>
  /** Who the administrator is now. Null after the end. */
  readonly personOf: (adminId: string) => Promise<AdminPerson | null>
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

interface Subscriber {
  readonly connection: EventConnection
  readonly session: string
  person: Viewer['person']
  readonly watched: readonly string[]
  /** The frames that were sent last, by call. */
  readonly sent: Map<string, Buffer>
  isNew: boolean
}

const defaultLimits: LiveLimits = {
  connections: 1_000,
  connectionsOfSession: 10,
  roundEveryMs: 700,
  heartbeatMs,
}

/** Each read needs a connection to the database, of the third of REQUEST_CONNECTIONS for lists. */
const readsAtOnce = 4
const retryLimits = { firstMs: 500, longestMs: 5_000 }
const browserRetryMs = 1_000

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
  let known = new Map<string, { readonly position: string; readonly state: string }>()
  /** The latest frame of each call, with the count of moves before it was read. */
  const answers = new Map<string, { readonly frame: Buffer; readonly moves: number }>()
  let moves = 0
  /** The count of moves before the persons were read. */
  let personsAt = 0
  let heartbeatAt = 0

  async function watch(): Promise<void> {
    const idle = new AbortController()
    const signal = AbortSignal.any([closing.signal, idle.signal])
    const outage = createOutageLog(log, {
      began: 'Live updates of the dashboards failed; retrying with backoff.',
      lasts: 'Live updates of the dashboards still fail.',
      over: 'Live updates of the dashboards work again.',
    })
    await repeat(
      async () => {
        if (subscribers.size === 0) return idle.abort()
        const began = performance.now()
        await round()
        const pauseMs = pauseAfter(performance.now() - began, limits.roundEveryMs)
        // `repeat` waits the rest.
        await sleep(pauseMs - limits.roundEveryMs, signal)
      },
      { everyMs: limits.roundEveryMs, backoff: createBackoff(retryLimits), outage, signal },
    )
    running = null
    answers.clear()
    // A dashboard that opened after the last round.
    if (subscribers.size > 0 && !closing.signal.aborted) start()
  }

  function start(): void {
    running ??= watch()
  }

  async function round(): Promise<void> {
    beat()
    await sendMoves()
    await sendRoles()
    await sendAnswers()
  }

  /** Before all work, so that dashboards keep the connection while the database is down. */
  function beat(): void {
    const now = performance.now()
    if (now - heartbeatAt < limits.heartbeatMs) return
    heartbeatAt = now
    const frame = eventFrame('heartbeat', '{}')
    for (const { connection } of subscribers) connection.send(frame)
  }

  async function sendMoves(): Promise<void> {
    const found = new Map((await positions()).map(({ name, ...at }) => [name, at]))
    const moved = [...found].filter(([name, { state }]) => known.get(name)?.state !== state)
    if (moved.length > 0) moves += 1
    known = found
    const all = movedFrame(found)
    const some = movedFrame(moved)
    for (const subscriber of subscribers) {
      if (subscriber.isNew) subscriber.connection.send(all)
      else if (moved.length > 0) subscriber.connection.send(some)
      subscriber.isNew = false
    }
  }

  /**
   * A changed role reaches the open screens, and the end of a person ends the connection, also if a
   * process stopped between the event and the end of the sessions. An event moves a checkpoint.
   */
  async function sendRoles(): Promise<void> {
    if (personsAt === moves) return
    const readAfter = moves
    for (const adminId of new Set([...subscribers].map(({ person }) => person.adminId))) {
      const now = await personOf(adminId)
      for (const subscriber of subscribers) {
        if (subscriber.person.adminId !== adminId) continue
        if (now === null) end(subscriber)
        else if (now.role !== subscriber.person.role) {
          subscriber.person = now
          subscriber.connection.send(roleFrame(now.role))
        }
      }
    }
    personsAt = readAfter
  }

  function end(subscriber: Subscriber): void {
    subscribers.delete(subscriber)
    subscriber.connection.send(eventFrame('ended', '{}'))
    subscriber.connection.end()
  }

  /** Each call once: the dashboards together use `readsAtOnce` connections to the database. */
  async function sendAnswers(): Promise<void> {
    const watchers = new Map<string, Subscriber[]>()
    for (const subscriber of subscribers)
      for (const call of subscriber.watched)
        watchers.set(call, [...(watchers.get(call) ?? []), subscriber])
    for (const call of answers.keys()) if (!watchers.has(call)) answers.delete(call)
    await inParallel(readsAtOnce, [...watchers], async ([call, watching]) => {
      if (closing.signal.aborted) return
      const frame = await latest(call)
      if (frame === null) return
      for (const { connection, sent } of watching) {
        if (sent.get(call) === frame) continue
        sent.set(call, frame)
        connection.send(frame)
      }
    })
  }

  /** The same buffer while the answer does not change. Null while the call cannot be answered. */
  async function latest(call: string): Promise<Buffer | null> {
    const before = answers.get(call)
    if (before?.moves === moves) return before.frame
    const readAfter = moves
    const answer = await calls.read(call).catch((error: unknown) => {
      // Such as 503 while a read model is being built. The next round tries again.
      if (error instanceof HttpError) return null
      throw error
    })
    if (answer === null) return null
    const read = eventFrame('answer', `{"call":${JSON.stringify(call)},"answer":${answer}}`)
    const frame = before?.frame.equals(read) ? before.frame : read
    answers.set(call, { frame, moves: readAfter })
    return frame
  }

  return {
    assertRoom(session) {
      if (closing.signal.aborted)
        throw new HttpError(503, 'This process is stopping. Try again in a moment.', {
          retryAfterSeconds: 1,
        })
      const own = [...subscribers].filter((subscriber) => subscriber.session === session)
      if (own.length < limits.connectionsOfSession && subscribers.size < limits.connections) return
      throw new HttpError(
        429,
        'Too many pages receive live updates. Close other pages of the dashboard.',
        { retryAfterSeconds: 10 },
      )
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

function roleFrame(role: AdminRole): Buffer {
  return eventFrame('role', JSON.stringify({ role } satisfies LiveRole))
}

function movedFrame(models: Iterable<readonly [string, { readonly position: string }]>): Buffer {
  const moved: LiveMoved = Object.fromEntries(
    [...models].map(([name, { position }]) => [name, position]),
  )
  return eventFrame('moved', JSON.stringify(moved))
}
