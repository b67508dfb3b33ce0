import type { EventCodec } from '#services/event-store/encryption/codec'
import { createReadSide, type ReadSide } from '#services/read-side/read-side'
import type { Storage } from './open-storage.ts'
import type { StartContext } from './start-context.ts'

/** Creates the queries, and starts the projectors if this process has them. */
export function startReadSide(
  { config, log, started, newerRelease, tracing }: StartContext,
  { connectionString, pool, reading, store }: Storage,
  codec: EventCodec,
  onProjected: (projection: string, events: number) => void,
): ReadSide {
  const readSide = tracing.readSide(
    createReadSide({
      connectionString,
      pool,
      reading,
      store,
      codec,
      log,
      shards: config.projectionShards,
      timeZone: config.reportingTimeZone,
      onProjected,
      newerRelease,
      asProjected: tracing.readModel,
    }),
  )
  if (config.role === 'all' || config.role === 'projector')
    started.add('projectors', readSide.startProjectors())
  return readSide
}
