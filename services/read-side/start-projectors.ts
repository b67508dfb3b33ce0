import type { Logger } from 'pino'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { readModelIn, readModels } from '#projections/read-models'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import type { NewerRelease } from '#services/event-store/newer-release'
import type { TimeZone } from '#services/finance/time-zone'

export interface ProjectorParts {
  readonly connectionString: string
  readonly store: EventStore
  readonly codec: EventCodec
  readonly log: Logger
  /** Number of shards of a newly built read model. */
  readonly shards: number
  /** In which days and months of reports end. */
  readonly timeZone: TimeZone
  /** `projection` is the schema of the read model, such as `users_v7`. */
  readonly onProjected: (projection: string, events: number) => void
  /** Called with each read model before it is projected. Default: as it is. */
  readonly asProjected?: (model: ReadModel) => ReadModel
  /** Learns of the projectors that wait for a newer release. */
  readonly newerRelease?: NewerRelease
}

/**
 * Starts the projectors of every read model. Other processes may run projectors, too. The returned
 * function finishes the current batches and stops the projectors.
 */
export function startProjectors(parts: ProjectorParts): () => Promise<void> {
  const { store, log, asProjected = (model) => model } = parts
  const stop = new AbortController()
  const running = readModels.map((model) =>
    runProjectors({
      connectionString: parts.connectionString,
      store,
      codec: parts.codec,
      model: asProjected(readModelIn(model, parts.timeZone)),
      log,
      shards: parts.shards,
      signal: stop.signal,
      onProjected: (events) => parts.onProjected(schemaOf(model), events),
      ...(parts.newerRelease && { newerRelease: parts.newerRelease }),
    }),
  )
  return async () => {
    stop.abort()
    await Promise.all(running)
  }
}
