import { join } from 'node:path'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { migrate } from '#services/postgres/migrate'
import { removeAbandonedDirectories, temporaryDirectory } from '../machine/temporary-directory.ts'
import { templateDatabase } from './database.ts'

/**
 * The PostgreSQL of one test run, in a temporary directory, with one migrated database as the
 * template.
 */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  await removeAbandonedDirectories()
  const directory = await temporaryDirectory()
  const server = await startEmbeddedPostgres({
    dataDir: join(directory.path, 'postgres'),
    fsync: false,
  })
  await ensureDatabase(server.connectionString('postgres'), templateDatabase)
  await migrate(server.connectionString(templateDatabase))
  return {
    url: server.connectionString('postgres'),
    stop: async () => {
      await server.stop()
      await directory.remove()
    },
  }
}
