import { join } from 'node:path'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import type { Config } from '#services/settings/config'

export interface Databases {
  readonly app: string
  /** The sandbox's database. Null if this process starts no sandbox. */
  readonly sandbox: string | null
  /** Whether `stop` ends the server for all processes: this process runs the embedded server. */
  runsServer(): boolean
  stop(): Promise<void>
}

/**
 * Uses the server of DATABASE_URL, or starts the embedded server in DATA_DIR. The sandbox has a
 * separate database on the same server: it simulates external services, so it shares no data with
 * the product.
 */
export async function startDatabases(
  config: Config,
  print: (line: string) => void,
): Promise<Databases> {
  const startsSandbox = config.sandbox !== null && config.sandbox.url === null
  if (config.databaseUrl !== null) {
    const sandbox = startsSandbox
      ? withDatabase(config.databaseUrl, (name) => `${name}_sandbox`)
      : null
    if (sandbox !== null) await ensureDatabase(config.databaseUrl, databaseOf(sandbox))
    return {
      app: config.databaseUrl,
      sandbox,
      runsServer: () => false,
      stop: () => Promise.resolve(),
    }
  }
  const server = await startEmbeddedPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    log: print,
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
    runsServer: () => server.runsServer(),
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
