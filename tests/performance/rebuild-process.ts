import pg from 'pg'
import { rebuildTogether } from '#projections/engine/rebuild/rebuild-together'
import { readModels } from '#projections/read-models'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { masterKey } from './log/write-log.ts'
import { sendUsage } from './send-usage.ts'
import { stderrLog } from './stderr-log.ts'

// Rebuilds all read models together, as `billing projections rebuild --all` does. With names, only
// these.
const [connectionString, ...names] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

await sendUsage(async () => {
  const store = createPostgresEventStore({ connectionString })
  const pool = new pg.Pool({ connectionString, max: 2 })
  const outcomes = await rebuildTogether(
    readModels.filter(({ name }) => names.length === 0 || names.includes(name)),
    {
      connectionString,
      store,
      codec: createCodec(createPersonalKeys(pool, masterKey)),
      log: stderrLog,
      signal: new AbortController().signal,
      // An earlier run that was killed would leave little to do.
      restart: true,
    },
  )
  await store.close()
  await pool.end()
  for (const { outcome } of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return {}
})
