import type { Queryable } from '#services/foundation/queryable'
import { waitingEventIds } from '../park/parked-rows.ts'
import { CannotVerify } from './cannot-verify.ts'
import type { Aside } from './shadow.ts'

/** The events that the live tables lack, because their streams are parked. */
export interface WaitingAside extends Aside {
  /**
   * Reads which events wait. Call it after the live checkpoints are read: it then has every parked
   * event up to them.
   * @throws CannotVerify if an event no longer waits: the shadow has folded the events after it
   */
  read(): Promise<void>
  /** The number of events that were set aside. */
  count(): number
}

export function waitingAside(connection: Queryable, schema: string): WaitingAside {
  let waiting: ReadonlySet<string> = new Set()
  const passed = new Set<string>()
  return {
    async read() {
      waiting = await waitingEventIds(connection, schema)
      if ([...passed].some((id) => !waiting.has(id)))
        throw new CannotVerify(
          `A parked stream of ${schema} was folded while it was being verified: verify it again.`,
        )
    },
    count: () => passed.size,
    divide(events) {
      if (waiting.size === 0) return { folded: events, behind: [] }
      const behind = events.filter(({ id }) => waiting.has(id))
      for (const { id } of behind) passed.add(id)
      return { folded: events.filter(({ id }) => !waiting.has(id)), behind }
    },
    keep: () => Promise.resolve(),
    park: () => Promise.resolve(false),
  }
}
