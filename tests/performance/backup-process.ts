import pg from 'pg'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { takeBackup } from '#services/operations/backup/take-backup'
import { writeFileAtomically } from '../../scripts/billing/write-file.ts'
import { auditKey } from '../support/event-store/mac-key.ts'
import { masterKey } from './log/write-log.ts'
import { sendUsage, type Usage } from './send-usage.ts'

export interface BackupUsage extends Usage {
  /** Of the compressed file. */
  readonly bytes: number
}

// Writes a backup of the database to a file, as `billing backup` does.
const [connectionString, file] = process.argv.slice(2)
if (!connectionString || !file)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

await sendUsage(async () => {
  const store = createPostgresEventStore({ connectionString })
  const pool = new pg.Pool({ connectionString, max: 4 })
  const { bytes } = await writeFileAtomically(
    file,
    takeBackup({
      pool,
      eventLog: { isInDatabase: true, store },
      takenAt: new Date().toISOString(),
      keys: {
        masterKey,
        emailHmacKey: Buffer.alloc(32, 7),
        portalKey: Buffer.alloc(32, 5),
        auditKey,
      },
    }),
  )
  await pool.end()
  await store.close()
  return { bytes }
})
