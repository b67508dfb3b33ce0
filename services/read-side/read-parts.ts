import type pg from 'pg'
import { isUserParked } from '#projections/engine/park/parked-streams'
import { readModelReady } from '#projections/engine/operate/status'
import type { ReadModel } from '#projections/engine/read-model'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import type { EventStore } from '#services/event-store/event-store'
import { createReadYourWrites, type ReadContext } from '#services/http/read-your-writes'
import { notBuilt } from '#services/health/build-progress'

/** What the queries of all areas share. */
export interface ReadParts {
  readonly pool: pg.Pool
  /** For what reads many rows. */
  readonly reading: pg.Pool
  readonly store: EventStore
  /**
   * Waits until the read models are built and have the caller's own writes. Rejects with HttpError
   * 503 while one of them is being built.
   */
  ready(...models: readonly ReadModel[]): (context: ReadContext) => Promise<void>
  /** Until a read model is built, its routes answer 503 with the progress or the pause. */
  refuseUnbuilt(model: ReadModel): Promise<void>
}

export function createReadParts({
  pool,
  reading,
  store,
}: Pick<ReadParts, 'pool' | 'reading' | 'store'>): ReadParts {
  const built = new Set<string>()
  const readYourWrites = createReadYourWrites<ReadModel>(
    (models, position, timeoutMs) =>
      waitUntilProjected(pool, models, position, timeoutMs, store.comparePositions),
    (models, userId) => isUserParked(pool, models, userId),
  )

  async function refuseUnbuilt(model: ReadModel): Promise<void> {
    if (built.has(model.name)) return
    if (!(await readModelReady(pool, model))) throw await notBuilt(store, pool, model)
    built.add(model.name)
  }

  return {
    pool,
    reading,
    store,
    ready:
      (...models) =>
      async (context) => {
        for (const model of models) await refuseUnbuilt(model)
        await readYourWrites(context, models)
      },
    refuseUnbuilt,
  }
}
