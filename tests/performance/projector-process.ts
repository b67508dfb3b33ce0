import pg from 'pg'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { masterKey } from './log/write-log.ts'
import { readModels, type Usage } from './read-models.ts'

// A projector process, as ROLE=projector runs it: all read models, until it is told to stop.
const [connectionString, shards] = process.argv.slice(2)
if (!connectionString) throw new Error('This process is started by the bench.')

const stop = new AbortController()
process.once('message', () => stop.abort())
const store = createPostgresEventStore({ connectionString })
const pool = new pg.Pool({ connectionString, max: 4 })
const codec = createCodec(createPersonalKeys(pool, masterKey))
const say = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`)
const log = { info: () => undefined, warn: say, error: say }
await Promise.all(
  readModels.map((model) =>
    runProjectors({
      connectionString,
      store,
      codec,
      model,
      log,
      shards: Number(shards),
      signal: stop.signal,
    }),
  ),
)
await store.close()
await pool.end()

const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
const usage: Usage = { peakBytes: maxRSS * 1_024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
process.send?.(usage, () => process.disconnect())
