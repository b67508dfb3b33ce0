import type pg from 'pg'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { isDivisible } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import type { EventStore } from '#services/event-store/event-store'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { buildProgress, statusOf } from './build-progress.ts'
import { parkedStreamReasons } from './parked-reasons.ts'

export interface ReadModelReasons {
  readonly blocking: readonly string[]
  /** A reason to act. The product serves all other customers. */
  readonly others: readonly string[]
}

/** Reads the state of the read models. The function returns null if the database did not answer. */
export function createReadModelReasons({
  pool,
  store,
  log,
}: {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'countAfter'>
  readonly log: WarningLog
}): () => Promise<ReadModelReasons | null> {
  const projections = createOutageLog(log, {
    began: 'The state of the projections cannot be read; /readyz answers 503.',
    lasts: 'The state of the projections still cannot be read.',
    over: 'The state of the projections can be read again.',
  })

  return async () => {
    try {
      const parked = await parkedStreams(pool)
      const reasons = await Promise.all(
        readModels.map(async (model) => {
          const status = await statusOf(pool, model)
          if (status?.state === 'paused')
            return {
              blocks: isDivisible(model),
              sentence: `The projection ${model.name} is paused: ${status.reason ?? 'no reason was kept'}`,
            }
          if (status?.isBuilt === true) return null
          const progress = await buildProgress(store, status)
          return {
            blocks: true,
            sentence: `The read model ${model.name} is being built: ${progress}.`,
          }
        }),
      )
      projections.over()
      const sentences = (blocks: boolean) =>
        reasons.flatMap((reason) => (reason?.blocks === blocks ? [reason.sentence] : []))
      return {
        blocking: sentences(true),
        others: [...sentences(false), ...parkedStreamReasons(parked)],
      }
    } catch (error) {
      projections.failed(error)
      return null
    }
  }
}
