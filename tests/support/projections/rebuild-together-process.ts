import { rebuildTogether } from '#projections/engine/rebuild/rebuild-together'
import { readModels } from '#projections/read-models'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { plainCodec, silentLog } from './projection-fixture.ts'

/**
 * A program that a test starts and kills: it rebuilds all read models together, and reports the
 * events that all of them have folded to its parent process.
 */
const [connectionString = '', maxBatchSize = '1000'] = process.argv.slice(2)

const store = createPostgresEventStore({ connectionString })
await rebuildTogether(readModels, {
  connectionString,
  store,
  codec: plainCodec,
  log: silentLog,
  signal: new AbortController().signal,
  maxBatchSize: Number(maxBatchSize),
  onEvents: (events) => void process.send?.(events),
})
await store.close()
if (process.connected) process.disconnect()
