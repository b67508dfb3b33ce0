import pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { assertMayCreateSchemas, missingConnect, missingCreatedb } from './missing-rights.ts'

export interface PoolOptions {
  /** How many connections at most. */
  readonly max?: number
  /** What `pg_stat_activity` shows. */
  readonly applicationName?: string
  /** Told about a connection that broke while nobody used it; the pool replaces it. */
  readonly onIdleError?: (error: Error) => void
  /** How long connecting and each query may take, in milliseconds: 10,000 and any time when left out. */
  readonly answerWithinMs?: number
}

/** A pool that connects when it is first used. Whoever makes it calls `end()`. */
export function createPool(connectionString: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'billing',
    connectionTimeoutMillis: options.answerWithinMs ?? 10_000,
    ...(options.answerWithinMs === undefined ? {} : { query_timeout: options.answerWithinMs }),
    keepAlive: true,
  })
  // Without a listener, a restart of the database would end this process. A pool that ends replaces nothing:
  // end() resolves before its connections are gone, and the server may stop in between.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError?.(error)
  })
  // The pool listens to idle connections only. One that breaks between two statements of its holder fails the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Connects once, so that a wrong DATABASE_URL is known at the start and not at the first request.
 * @throws StartupError that names what is wrong with it, never the password.
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
 * Makes the database `name` on the server that `connectionString` leads to, unless it exists.
 * @returns true when it was made.
 * @throws StartupError that names the right that the role lacks, or what is wrong with DATABASE_URL.
 */
export async function ensureDatabase(connectionString: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined) // The statement that fails says so.
  try {
    await client.connect().catch((error: unknown) => {
      throw explainConnectionFailure(error, { connectionString })
    })
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount) {
      await assertMayCreateSchemas(client, name)
      return false
    }
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
    return true
  } catch (error) {
    // Another process made it in the meantime.
    if (codeOf(error) === '42P04' || codeOf(error) === '23505') return false
    if (error instanceof StartupError) throw error
    throw codeOf(error) === '42501'
      ? await missingCreatedb(client, name)
      : explainConnectionFailure(error, { connectionString })
  } finally {
    await client.end().catch(() => undefined)
  }
}

function explainConnectionFailure(error: unknown, config: pg.ClientConfig): unknown {
  const { host, port, user, database } = new pg.Client(config)
  const where = host.startsWith('/') ? host : `${host}:${port}`
  const code = codeOf(error)
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
      return explainUncodedFailure(error, where)
  }
}

function explainUncodedFailure(error: unknown, where: string): unknown {
  const { message } = error as Error
  if (/timeout/i.test(message))
    return new StartupError(
      `PostgreSQL at ${where} does not answer within 10 seconds: check DATABASE_URL, the network and the firewall.`,
    )
  if (/password must be a string/.test(message))
    return new StartupError(
      `PostgreSQL at ${where} asks for a password, and DATABASE_URL has none: add it.`,
    )
  if (/does not support SSL/.test(message))
    return new StartupError(
      `PostgreSQL at ${where} does not offer TLS, which DATABASE_URL asks for: remove sslmode, or turn TLS on in the server.`,
    )
  if (/certificate/i.test(message))
    return new StartupError(
      `The certificate of PostgreSQL at ${where} is not trusted (${message}): see sslmode and sslrootcert in DATABASE_URL.`,
    )
  return error
}

/** The server's own text; in another language the refusal is told like a wrong password. */
function isWithoutLogin(error: unknown): boolean {
  return error instanceof Error && error.message.includes('not permitted to log in')
}

/** Both address families tried and both refused is one AggregateError. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return code
  return errors?.[0] === undefined ? undefined : codeOf(errors[0])
}
