import pg from 'pg'
import { applicationNames, type ApplicationName } from '#services/foundation/application-names'
import {
  clientOptions,
  databaseLimits,
  type DatabaseLimits,
} from '#services/foundation/database-limits'
import { StartupError } from '#services/foundation/startup-error'
import { errorCode } from '#services/foundation/error-code'
import { hearErrors } from '#services/foundation/hear-errors'
import { assertMayCreateSchemas, missingConnect, missingCreatedb } from './missing-rights.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

export interface PoolOptions {
  /** Maximum number of connections (10). */
  readonly max?: number
  /** The name in `pg_stat_activity`. */
  readonly applicationName?: ApplicationName
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void
  /** Default: `databaseLimits.requests`. */
  readonly limits?: DatabaseLimits
}

/** A pool that connects on first use. The caller ends it with `end()`. */
export function createPool(connectionString: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    application_name: options.applicationName ?? applicationNames.product,
    ...clientOptions(options.limits ?? databaseLimits.requests),
    keepAlive: true,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits the promise
    onConnect: endAbandonedStatements,
  })
  // Errors of a pool that ends are ignored: end() resolves before its connections are closed, and
  // the server may stop in between.
  hearErrors(pool, (error) => {
    if (!pool.ending) options.onIdleError?.(error)
  })
  return pool
}

/** How often the server checks, during a statement, whether its client has disconnected. */
const checkClientEveryMs = 500

/**
 * The server then ends a statement whose client has closed the connection, instead of computing
 * its result for no reader. Not every platform supports this: `statement_timeout` remains.
 */
async function endAbandonedStatements(client: pg.ClientBase): Promise<void> {
  await client
    .query(`SET client_connection_check_interval = ${checkClientEveryMs}`)
    .catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error
    })
}

/**
 * Connects once, so that a wrong DATABASE_URL fails the start and not the first request.
 * @throws StartupError that names the problem, without the password
 */
export async function assertReachable(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw explainConnectionFailure(error, pool.options)
  }
}

/**
 * Creates the database `name` on the server of `connectionString`, unless it exists.
 * @returns true if the database was created
 * @throws StartupError that names the missing right of the role, or the problem with DATABASE_URL
 */
export async function ensureDatabase(connectionString: string, name: string): Promise<boolean> {
  const config = { connectionString, ...clientOptions(databaseLimits.operator) }
  const client = new pg.Client(config)
  client.on('error', () => undefined) // The failed statement reports the error.
  try {
    await client.connect().catch((error: unknown) => {
      throw explainConnectionFailure(error, config)
    })
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount) {
      await assertMayCreateSchemas(client, name)
      return false
    }
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
    return true
  } catch (error) {
    // Another process created it meanwhile.
    if (errorCode(error) === '42P04' || errorCode(error) === '23505') return false
    if (error instanceof StartupError) throw error
    throw errorCode(error) === '42501'
      ? await missingCreatedb(client, name)
      : explainConnectionFailure(error, config)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function explainConnectionFailure(error: unknown, config: pg.ClientConfig): unknown {
  const { host, port, user, database } = new pg.Client(config)
  const where = host.startsWith('/') ? host : `${host}:${port}`
  const code = errorCode(error)
  switch (code ?? '') {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return new StartupError(
        `No PostgreSQL answers at ${where}: start it, or correct DATABASE_URL.`,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(
        `The host "${host}" in DATABASE_URL is not known: correct its name, or check this machine's name server.`,
      )
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return new StartupError(
        `PostgreSQL at ${where} cannot be reached (${code}): check DATABASE_URL, the network and the firewall.`,
      )
    case '28P01':
    case '28000':
      return isWithoutLogin(error)
        ? new StartupError(
            `The role "${user}" may not log in to PostgreSQL at ${where}: an administrator runs ALTER ROLE ${pg.escapeIdentifier(user ?? '')} LOGIN.`,
          )
        : new StartupError(
            `PostgreSQL at ${where} refuses the user "${user}": correct the user or the password in DATABASE_URL.`,
          )
    case '3D000':
      return new StartupError(
        `PostgreSQL at ${where} has no database "${database}": create it, or correct DATABASE_URL.`,
      )
    case '42501':
      return missingConnect(user ?? '', database ?? '')
    case '53300':
      return new StartupError(
        `PostgreSQL at ${where} has no free connection: raise its max_connections, or stop other clients.`,
      )
    default:
      return explainByMessage(error, where, config.connectionTimeoutMillis ?? 0)
  }
}

function explainByMessage(error: unknown, where: string, connectMs: number): unknown {
  const { message } = error as Error
  if (/timeout/i.test(message))
    return new StartupError(
      `PostgreSQL at ${where} does not answer within ${connectMs / 1_000} seconds: check DATABASE_URL, the network and the firewall.`,
    )
  if (/password must be a string/.test(message))
    return new StartupError(
      `PostgreSQL at ${where} requires a password, and DATABASE_URL has none: add it.`,
    )
  if (/does not support SSL/.test(message))
    return new StartupError(
      `PostgreSQL at ${where} does not offer TLS, which DATABASE_URL requires: remove sslmode, or turn TLS on in the server.`,
    )
  if (/certificate/i.test(message))
    return new StartupError(
      `The certificate of PostgreSQL at ${where} is not trusted (${message}): see sslmode and sslrootcert in DATABASE_URL.`,
    )
  if (isDatabaseUnavailable(error))
    return new StartupError(
      `PostgreSQL at ${where} accepts no connection now (${message}): it is starting or stopping, or the network broke the connection. Start again when it answers.`,
    )
  return error
}

/**
 * Checks the server's message. In another language the refusal is reported like a wrong password.
 */
function isWithoutLogin(error: unknown): boolean {
  return error instanceof Error && error.message.includes('not permitted to log in')
}
