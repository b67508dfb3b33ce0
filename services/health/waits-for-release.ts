import { newerNext } from '#projections/engine/operate/newer-next'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import type { EventStore } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'

/**
 * One sentence for each read model of this release that waits at an event of a newer one. A
 * process without projectors, such as one with ROLE=api, finds the reason of old pages only here.
 * `known` are readers that are reported already, such as `users_v7` or `users_v7 shard 0`.
 */
export async function waitsForRelease(
  db: Queryable,
  store: Pick<EventStore, 'readAll'>,
  known: readonly string[],
): Promise<readonly string[]> {
  const statuses = await projectionStatus(db)
  const found = await Promise.all(
    readModels.map(async (model) => {
      const schema = schemaOf(model)
      const status = statuses.find((each) => each.schema === schema)
      if (status === undefined || known.some((reader) => reader.split(' ')[0] === schema))
        return null
      const newer = await newerNext(store, model, status.shards)
      const pages = status.isBuilt
        ? 'Its pages show the state before this event until a projector of that release runs.'
        : 'Its pages answer 503 until a projector of that release builds it.'
      return newer === null
        ? null
        : `The read model ${model.name} waits for a newer release: ${newer.message} ${pages}`
    }),
  )
  return found.filter((sentence) => sentence !== null)
}
