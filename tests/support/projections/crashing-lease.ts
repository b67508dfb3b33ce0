import { acquireLease, type Lease } from '#services/postgres/lease'

/**
 * The process crashes at the n-th statement from now. `before`: the server does not receive the
 * statement. `after`: the server executes the statement, but the process does not receive the
 * answer.
 */
export interface CrashPoint {
  readonly statement: number
  readonly when: 'before' | 'after'
}

/** The kind of statement at the crash. Tests check that crashes cover every kind. */
export type CrashSite = `${CrashPoint['when']} ${string}`

class Crashed extends Error {
  override readonly name = 'Crashed'
}

/**
 * A lease whose connection breaks at the crash point, as after kill -9. The client sends no
 * Terminate message, and the server receives no later statement. `onCrash` stops the rest of the
 * process.
 */
export async function crashingLease(
  connectionString: string,
  key: string,
  signal: AbortSignal,
  point: CrashPoint,
  onCrash: (site: CrashSite) => void,
): Promise<Lease | null> {
  const lease = await acquireLease(connectionString, key, signal)
  if (!lease) return null
  const { connection } = lease
  const query = connection.query.bind(connection) as (
    sql: string,
    values?: unknown[],
  ) => Promise<unknown>
  let count = 0
  const crashing = async (sql: string, values?: unknown[]) => {
    count += 1
    if (count < point.statement) return query(sql, values)
    if (count === point.statement) {
      if (point.when === 'after') await query(sql, values)
      connection.connection.stream.destroy()
      onCrash(`${point.when} ${kindOf(sql)}`)
    }
    throw new Crashed('The process crashed here.')
  }
  return {
    ...lease,
    connection: Object.assign(Object.create(connection) as typeof connection, { query: crashing }),
  }
}

/** The first two words of the statement, without a table's name. */
function kindOf(sql: string): string {
  return sql
    .trim()
    .split(/[\s;]+/, 2)
    .join(' ')
    .toUpperCase()
    .replace(/ \S+\.\S+$/, '')
}
