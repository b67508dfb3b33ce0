import type { LiveMoved, LiveRole } from '#contracts/admin/live'
import type { AdminRole } from '#contracts/admin/roles'
import { inParallel } from '#services/foundation/in-parallel'
import type { AdminPerson } from '#services/http/access'
import type { CallReader } from '#services/http/call-reader'
import { eventFrame, type EventConnection } from '#services/http/event-stream'
import { createLatestAnswers } from './latest-answers.ts'

/** What a round reads. */
export interface RoundParts {
  readonly positions: () => Promise<
    readonly { readonly name: string; readonly position: string; readonly state: string }[]
  >
  readonly calls: CallReader
  /** Who the administrator is now. Null after the end. */
  readonly personOf: (adminId: string) => Promise<AdminPerson | null>
}

export interface Subscriber {
  readonly connection: EventConnection
  readonly session: string
  person: Pick<AdminPerson, 'adminId' | 'role'>
  readonly watched: readonly string[]
  /** The frames that were sent last, by call. */
  readonly sent: Map<string, Buffer>
  isNew: boolean
}

/** Each read needs a connection to the database, of the third of REQUEST_CONNECTIONS for lists. */
const readsAtOnce = 4

/** Reads what changed, and sends it to the open dashboards: one round after the other. */
export function createLiveRounds({
  subscribers,
  positions,
  calls,
  personOf,
  heartbeatMs,
  end,
  stopping,
}: RoundParts & {
  readonly subscribers: ReadonlySet<Subscriber>
  readonly end: (subscriber: Subscriber) => void
  readonly heartbeatMs: number
  readonly stopping: AbortSignal
}) {
  const answers = createLatestAnswers(calls)
  let known = new Map<string, { readonly position: string; readonly state: string }>()
  let moves = 0
  /** The count of moves before the persons were read. */
  let personsAt = 0
  let heartbeatAt = 0

  return { round, forget: () => answers.clear() }

  async function round(): Promise<void> {
    beat()
    await sendMoves()
    if (personsAt !== moves) {
      const readAfter = moves
      await sendRoles(subscribers, personOf, end)
      personsAt = readAfter
    }
    await sendAnswers(subscribers, answers, moves, stopping)
  }

  /** Before all work, so that dashboards keep the connection while the database is down. */
  function beat(): void {
    const now = performance.now()
    if (now - heartbeatAt < heartbeatMs) return
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
}

/** Each call once: the dashboards together use `readsAtOnce` connections to the database. */
async function sendAnswers(
  subscribers: ReadonlySet<Subscriber>,
  answers: ReturnType<typeof createLatestAnswers>,
  moves: number,
  stopping: AbortSignal,
): Promise<void> {
  const watchers = new Map<string, Subscriber[]>()
  for (const subscriber of subscribers)
    for (const call of subscriber.watched)
      watchers.set(call, [...(watchers.get(call) ?? []), subscriber])
  answers.forgetOthers(watchers)
  await inParallel(readsAtOnce, [...watchers], async ([call, watching]) => {
    if (stopping.aborted) return
    const frame = await answers.latest(call, moves)
    if (frame === null) return
    for (const { connection, sent } of watching) {
      if (sent.get(call) === frame) continue
      sent.set(call, frame)
      connection.send(frame)
    }
  })
}

/**
 * A changed role reaches the open screens, and the end of a person ends the connection, also if a
 * process stopped between the event and the end of the sessions. An event moves a checkpoint.
 */
async function sendRoles(
  subscribers: ReadonlySet<Subscriber>,
  personOf: RoundParts['personOf'],
  end: (subscriber: Subscriber) => void,
): Promise<void> {
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
}

export function roleFrame(role: AdminRole): Buffer {
  return eventFrame('role', JSON.stringify({ role } satisfies LiveRole))
}

function movedFrame(models: Iterable<readonly [string, { readonly position: string }]>): Buffer {
  const moved: LiveMoved = Object.fromEntries(
    [...models].map(([name, { position }]) => [name, position]),
  )
  return eventFrame('moved', JSON.stringify(moved))
}
