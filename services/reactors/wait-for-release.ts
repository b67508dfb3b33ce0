import type { EventStore, Position } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import type { NewerRelease } from '#services/event-store/newer-release'
import { createBackoff } from '#services/foundation/backoff'
import { sleep } from '#services/foundation/sleep'

/** How a reactor's loop over the log waits at events of a newer release. */
export interface ReleaseWait {
  /** Runs `round`. If it meets an event of a newer release, waits before it resolves. */
  around(round: () => Promise<void>): Promise<void>
  /** The reactor has read the log up to `position`. */
  passed(position: Position): void
}

const limits = { firstMs: 250, longestMs: 5_000 }

/**
 * The reactor reads again from its checkpoint after each wait: a process of the newer release moves
 * that checkpoint past the event when it has added its entries.
 */
export function createReleaseWait(
  reader: string,
  {
    store,
    newerRelease,
  }: {
    readonly store: Pick<EventStore, 'comparePositions'>
    readonly newerRelease?: Pick<NewerRelease, 'waits' | 'continues'> | undefined
  },
  signal: AbortSignal,
): ReleaseWait {
  const backoff = createBackoff(limits)
  let waitsAt: Position | null = null
  return {
    async around(round) {
      try {
        await round()
      } catch (error) {
        if (!(error instanceof NewerEvent) || signal.aborted) throw error
        waitsAt = error.position
        newerRelease?.waits(reader, error)
        await sleep(backoff.next(), signal)
      }
    },
    passed(position) {
      if (waitsAt === null || store.comparePositions(position, waitsAt) < 0) return
      waitsAt = null
      backoff.reset()
      newerRelease?.continues(reader)
    },
  }
}
