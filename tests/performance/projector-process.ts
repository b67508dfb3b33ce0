import pg from 'pg'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { readModels } from '#projections/read-models'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { masterKey } from './log/write-log.ts'
import type { Usage } from './read-models.ts'
import { stderrLog } from './stderr-log.ts'

// Projects all read models, as a process with ROLE=projector does, until the benchmark sends a
// message.
const [connectionString, shards] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

const stop = new AbortController()
process.once('message', () => stop.abort())
const store = createPostgresEventStore({ connectionString })
const pool = new pg.Pool({ connectionString, max: 4 })
const codec = createCodec(createPersonalKeys(pool, masterKey))
await Promise.all(
  readModels.map((model) =>
    runProjectors({
      connectionString,
      store,
      codec,
      model,
      log: stderrLog,
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
