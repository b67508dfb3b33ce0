import pg from 'pg'
import { rebuild } from '#projections/engine/rebuild/rebuild'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { masterKey } from './log/write-log.ts'
import { readModels } from './read-models.ts'

// What `billing projections rebuild` does, for one read model after the other.
const [connectionString] = process.argv.slice(2)
if (!connectionString) throw new Error('This process is started by the bench.')

const store = createPostgresEventStore({ connectionString })
const pool = new pg.Pool({ connectionString, max: 2 })
const codec = createCodec(createPersonalKeys(pool, masterKey))
const say = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`)
const log = { info: () => undefined, warn: say, error: say }
for (const model of readModels)
  await rebuild({
    connectionString,
    store,
    codec,
    model,
    log,
    signal: new AbortController().signal,
  })
await store.close()
await pool.end()
process.disconnect()
