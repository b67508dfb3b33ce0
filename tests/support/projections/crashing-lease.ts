import { acquireLease, type Lease } from '#projections/engine/run/lease'

/** Where the process dies: at its n-th statement from now, before the server sees it, or after it has done it and before the process learns that. */
export interface CrashPoint {
  readonly statement: number
  readonly when: 'before' | 'after'
}

/** What a statement was doing when the process died, for the test to know that it has met every kind. */
export type CrashSite = `${CrashPoint['when']} ${string}`

export class Crashed extends Error {
  override readonly name = 'Crashed'
}

/**
 * A lease whose connection is cut at the crash point, as kill -9 cuts it: the server gets no goodbye,
 * and nothing that the process does afterwards reaches it. `onCrash` ends the rest of the process.
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
    throw new Crashed('The process died here.')
  }
  return {
    ...lease,
    connection: Object.assign(Object.create(connection) as typeof connection, { query: crashing }),
  }
}

function kindOf(sql: string): string {
  return sql
    .trim()
    .split(/[\s;]+/, 2)
    .join(' ')
    .toUpperCase()
    .replace(/ (PROJECTION|USERS|PURCHASES).*/, '')
}
