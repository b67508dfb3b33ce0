import type { Logger } from 'pino'
import type { EventProof } from '#services/event-store/audit/event-proof'
import { proveDecoded } from '#services/event-store/encryption/proven-codec'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import { controlsVersion } from '#services/finance/controls/controls'
import type { Firing, WatchedCustomer } from '#services/finance/controls/watch'
import { errorMessage } from '#services/foundation/error-message'
import type { Queryable } from '#services/foundation/queryable'
import { streamOwner } from '#services/foundation/stream-names'
import type { ReactorFold } from '#services/reactors/reactor'
import {
  beginProgress,
  lockProgress,
  moveProgress,
  readStates,
  writeStates,
  type StateKey,
} from './control-state.ts'
import { addFirings } from './firings.ts'
import { foldCustomer } from './fold-customer.ts'
import { addWaiting, maxParkedCustomers, parkCustomer, parkedUserIds } from './parked-customers.ts'
import { retryCustomer } from './retry-customer.ts'

interface ControlFoldParts {
  readonly store: Pick<EventStore, 'comparePositions' | 'readStream'>
  /** An event that is not genuine parks its customer. */
  readonly proof: EventProof
  readonly log: Pick<Logger, 'error' | 'info'>
}

/**
 * Folds the controls over the log, each event once and in position order, as a replay does. The
 * state is in the same transaction as the firings and the position, so a crash loses nothing and
 * repeats nothing. It reads without personal keys, as a replay does. A customer with an event that
 * cannot be folded is parked at this event; the others continue.
 *
 * @param version of the controls; each version has a separate state
 */
export function controlFold(
  { store, proof, log }: ControlFoldParts,
  version: number = controlsVersion,
): ReactorFold {
  const codec = proveDecoded(createKeylessCodec(), proof)
  return {
    position: (db, logId) => beginProgress(db, { logId, version }),

    async choose(tx, events, logId) {
      const key = { logId, version }
      const progress = await lockProgress(tx, key)
      if (progress === undefined)
        throw new Error(
          `A later version of the controls than ${version} runs, and removed the state of this version. Stop the processes of the earlier release.`,
        )
      const { position } = progress
      const unfolded = events.filter(
        (event) => position === null || store.comparePositions(event.position, position) > 0,
      )
      const last = unfolded.at(-1)
      if (last === undefined) return []
      const fired = await foldInto(tx, unfolded, key)
      await moveProgress(tx, key, last.position)
      return unfolded.filter(({ id }) => fired.has(id))
    },

    parked: (db, logId) => parkedUserIds(db, { logId, version }),

    async retry(tx, logId, userId) {
      const key = { logId, version }
      if ((await lockProgress(tx, key)) === undefined) return []
      return retryCustomer(tx, key, userId, { store, codec, log })
    },
  }

  /** Returns the ids of the events for which a control fired. */
  async function foldInto(
    tx: Queryable,
    stored: readonly StoredEvent[],
    key: StateKey,
  ): Promise<ReadonlySet<string>> {
    const histories = byCustomer(stored)
    const userIds = [...histories.keys()]
    const parked = new Set(await parkedUserIds(tx, key))
    const before = await readStates(tx, key, userIds)
    const after = new Map<string, WatchedCustomer>()
    const firings: Firing[] = []
    const waiting: StoredEvent[] = []
    const newlyParked: object[] = []
    for (const [userId, events] of histories) {
      if (parked.has(userId)) {
        waiting.push(...events)
        continue
      }
      const folded = await foldCustomer(codec, before.get(userId) ?? {}, events)
      after.set(userId, folded.state)
      firings.push(...folded.firings)
      const { poison } = folded
      if (poison === null) continue
      refuse(poison.error, parked.size)
      parked.add(userId)
      waiting.push(...events.slice(poison.index))
      await parkCustomer(tx, key, userId, poison.error)
      const { id, stream } = events[poison.index] ?? {}
      newlyParked.push({ err: poison.error, userId, stream, event: id })
    }
    await addWaiting(tx, key, waiting)
    await writeStates(tx, key, after)
    await addFirings(tx, firings)
    for (const customer of newlyParked)
      log.error(
        customer,
        'A customer is parked in the controls; the others continue. Correct the event, or start a release that can read it.',
      )
    return new Set(firings.map(({ eventId }) => eventId))
  }
}

/** @throws if the customer of an event cannot be parked: the controls wait at the event */
function refuse(error: unknown, parkedCustomers: number): void {
  // The event is whole: a process of the newer release folds it.
  if (error instanceof NewerEvent) throw error
  if (parkedCustomers >= maxParkedCustomers)
    throw new Error(
      `The controls park at most ${maxParkedCustomers} customers, and one more cannot be folded (${errorMessage(error)}), so this release is probably wrong and not the data. Start the earlier or a corrected release.`,
    )
}

/** The events of each customer, in their order. */
function byCustomer(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const histories = new Map<string, StoredEvent[]>()
  for (const event of events) {
    const userId = streamOwner(event.stream)
    const history = histories.get(userId)
    if (history === undefined) histories.set(userId, [event])
    else history.push(event)
  }
  return histories
}
