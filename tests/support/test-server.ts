import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { migrate } from '#services/postgres/migrate'
import { templateDatabase } from './database.ts'

/** The PostgreSQL of one test run, in a directory that goes with it, with one migrated database to copy. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'billing-tests-'))
  // As root the server runs as another account, which must be able to walk in here.
  await chmod(directory, 0o711)
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), fsync: false })
  await ensureDatabase(server.connectionString('postgres'), templateDatabase)
  await migrate(server.connectionString(templateDatabase))
  return {
    url: server.connectionString('postgres'),
    stop: async () => {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
