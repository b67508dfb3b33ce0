import { setTimeout as sleep } from 'node:timers/promises'
import { createProjector } from '#projections/engine/run/projector'
import { readModels } from '#projections/read-models'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { instrumented, plainCodec, silentLog } from './projection-fixture.ts'

/**
 * A program that tests/support/projections/start-projector.ts starts and kills. It projects one
 * read model, slowly on request, and reports every batch to its parent process. The projector
 * connects to `leaseUrl` and reads the log at `storeUrl`.
 */
const [name = '', leaseUrl = '', storeUrl = '', maxBatchSize = '1000', pauseMs = '0'] =
  process.argv.slice(2)

const found = readModels.find((model) => model.name === name)
if (!found) throw new Error(`There is no read model '${name}'.`)
const model = instrumented(
  found,
  () => undefined,
  // The transaction is open between rows and commit, so a kill can interrupt it.
  async () => {
    if (pauseMs !== '0') await sleep(Number(pauseMs))
  },
)
const stop = new AbortController()
process.once('disconnect', () => stop.abort())
process.once('SIGTERM', () => stop.abort())
const store = createPostgresEventStore({ connectionString: storeUrl })
await store.lastPosition()
process.send?.('ready')
await createProjector({
  connectionString: leaseUrl,
  store,
  codec: plainCodec,
  model,
  log: silentLog,
  maxBatchSize: Number(maxBatchSize),
  onProjected: (events) => void process.send?.(events),
}).run(stop.signal)
await store.close()
if (process.connected) process.disconnect()
