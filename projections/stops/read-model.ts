import { z } from 'zod'
import type { ReadModel } from '#projections/engine/read-model'
import { upsertRows } from '#projections/engine/upsert-rows'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { createIndexes, createTables } from './tables.ts'

const stopConsumer = eventConsumer({ name: 'stops', concernedBy: ['stop'] })

const stopRow = z.object({ stop_id: z.string(), via: z.string().nullable() })
type StopRow = Readonly<z.infer<typeof stopRow>>

/** Which addresses stopped messages, for questions about many addresses at once. */
export const stops: ReadModel = {
  name: 'stops',
  version: 1,
  consumers: [stopConsumer],
  partitionKey: streamOwner,
  concernAll: new Set(),
  personalTables: [],
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    // The last event of a stream decides.
    const rows = new Map<string, StopRow>()
    for (const event of events.filter(stopConsumer.isFolded)) {
      const stop_id = streamOwner(event.stream)
      switch (event.type) {
        case 'ContactStopped':
          rows.set(stop_id, { stop_id, via: event.data.via })
          break
        case 'ContactResumed':
          rows.set(stop_id, { stop_id, via: null })
          break
        default:
          unreachable(event)
      }
    }
    await upsertRows(tx, `${schema}.stop`, 'stop_id', [...rows.values()])
  },
}
