import { relaxedTransaction } from '#services/postgres/transaction'
import type { Queryable } from '#services/foundation/queryable'
import { loadParking } from '../park/parking.ts'
import type { ReadModel } from '../read-model.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import type { Aside } from './shadow.ts'

/**
 * The parked streams of a rebuild: a stream that this release cannot fold is parked in the new
 * tables, as the projector parks it.
 */
export async function parkedAside(
  connection: Queryable,
  model: ReadModel,
  schema: string,
  log: ProjectionLog,
): Promise<Aside> {
  const parking = await loadParking(connection, model, schema)
  return {
    divide: (events) => parking.divide(events),
    keep: (tx, behind) => parking.keep(tx, behind),
    async park({ event, message }, moved) {
      if (parking.refusal() !== null) return false
      await relaxedTransaction(connection, async () => {
        await moved(connection)
        await parking.park(connection, event, message)
      })
      parking.parked(event)
      log.warn(
        { reason: message, projection: schema, stream: event.stream, event: event.id },
        'The rebuild cannot fold an event; its stream is parked in the new tables.',
      )
      return true
    },
  }
}
