import type pg from 'pg'

export class Killed extends Error {
  override readonly name = 'Killed'
}

/**
 * A view of `pool` for a process that is killed before its n-th statement, counted from 1, which is
 * the same as after the statement before: no later statement reaches the server, which rolls an
 * open transaction back. The process uses `onConnectionOf`, which discards the connection.
 */
export function crashingPool(pool: pg.Pool, statement: number): pg.Pool {
  let count = 0
  const crashing =
    (query: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      count += 1
      if (count < statement) return query(...args)
      throw new Killed('The process was killed here.')
    }
  const view = <Target extends pg.Pool | pg.PoolClient>(target: Target, more: object): Target =>
    new Proxy(target, {
      get: (of, name) => {
        const found: unknown = Reflect.get({ ...more }, name) ?? Reflect.get(of, name)
        if (typeof found !== 'function') return found
        return (...args: unknown[]): unknown => Reflect.apply(found, of, args)
      },
    })
  const queryOf = (target: pg.Pool | pg.PoolClient) =>
    crashing((...args) => Reflect.apply(target.query, target, args) as Promise<unknown>)
  return view(pool, {
    query: queryOf(pool),
    connect: async () => {
      const client = await pool.connect()
      return view(client, { query: queryOf(client) })
    },
  })
}
