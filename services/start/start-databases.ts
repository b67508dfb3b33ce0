import { join } from 'node:path'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import type { Config } from './config.ts'

export interface Databases {
  readonly app: string
  /** The sandbox's own, null when this process starts no sandbox. */
  readonly sandbox: string | null
  stop(): Promise<void>
}

/**
 * DATABASE_URL's server when it is set, else the embedded one in DATA_DIR. The sandbox gets a
 * database of its own on the same server: it is the outside world, and shares nothing.
 */
export async function startDatabases(
  config: Config,
  say: (line: string) => void,
): Promise<Databases> {
  const startsSandbox = config.sandbox !== null && config.sandbox.url === null
  if (config.databaseUrl !== null) {
    const sandbox = startsSandbox
      ? withDatabase(config.databaseUrl, (name) => `${name}_sandbox`)
      : null
    if (sandbox !== null) await ensureDatabase(config.databaseUrl, databaseOf(sandbox))
    return { app: config.databaseUrl, sandbox, stop: () => Promise.resolve() }
  }
  const server = await startEmbeddedPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    log: say,
  })
  try {
    const maintenance = server.connectionString('postgres')
    await ensureDatabase(maintenance, 'billing')
    if (startsSandbox) await ensureDatabase(maintenance, 'sandbox')
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    app: server.connectionString('billing'),
    sandbox: startsSandbox ? server.connectionString('sandbox') : null,
    stop: () => server.stop(),
  }
}

function databaseOf(connectionString: string): string {
  return decodeURIComponent(new URL(connectionString).pathname.slice(1)) || 'postgres'
}

function withDatabase(connectionString: string, rename: (name: string) => string): string {
  const url = new URL(connectionString)
  url.pathname = `/${encodeURIComponent(rename(databaseOf(connectionString)))}`
  return url.href
}
