import { relaxedTransaction } from '#services/postgres/transaction'
import { MissingPersonalKey } from '#services/event-store/errors'
import type { StoredEvent } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { loadParkedKeys } from '../park/parked-rows.ts'
import { loadParking } from '../park/parking.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import type { Aside } from './shadow.ts'

/**
 * The parked streams of a rebuild: a stream that is parked in the live tables and still cannot be
 * folded is parked in the new tables, too. Any other event that cannot be folded ends the rebuild:
 * the live tables have the rows that the new tables would lack. So does a missing personal key.
 */
export async function parkedAside(
  connection: Queryable,
  model: ReadModel,
  schema: string,
  log: ProjectionLog,
): Promise<Aside> {
  const parking = await loadParking(connection, model, schema)
  const keyOf = ({ stream }: Pick<StoredEvent, 'stream'>) => model.partitionKey(stream)
  const isParkedLive = async (event: StoredEvent) =>
    (await loadParkedKeys(connection, schemaOf(model))).some(({ key }) => key === keyOf(event))
  return {
    divide: (events) => parking.divide(events),
    keep: (tx, behind) => parking.keep(tx, behind),
    async park({ event, message, cause }, number, moved) {
      // The live tables may have the last readable copy of this person.
      if (cause instanceof MissingPersonalKey) return false
      if (parking.refusal(event) !== null || !(await isParkedLive(event))) return false
      await relaxedTransaction(connection, async () => {
        await moved(connection)
        await parking.park(connection, { ...event, number }, message)
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
