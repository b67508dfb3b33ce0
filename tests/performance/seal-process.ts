import pg from 'pg'
import { sealLog } from '#services/event-store/audit/seal-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { auditKey } from '../support/event-store/mac-key.ts'
import { sendUsage, type Usage } from './send-usage.ts'

export interface SealUsage extends Usage {
  readonly events: number
}

// Verifies and seals the log, as `billing events seal` does.
const [connectionString] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

await sendUsage(async () => {
  const store = createPostgresEventStore({ connectionString })
  const pool = new pg.Pool({ connectionString, max: 4 })
  const result = await sealLog(store, pool, { now: () => new Date() }, { auditKey })
  if (result.kind === 'refused') throw new Error('The generated log was not sealed.')
  await pool.end()
  await store.close()
  return { events: result.seal.events }
})
