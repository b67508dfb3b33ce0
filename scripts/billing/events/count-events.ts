import type pg from 'pg'

/** How many events the log has now, for the time left of long work. */
export async function countEvents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM log.event')
  return Number(rows[0]?.count ?? 0)
}
