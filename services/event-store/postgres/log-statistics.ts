import type { Pool } from 'pg'
import type { LogStatistics } from '../event-log.ts'

/** Reads the whole table: about 1 s for a million events. */
export async function logStatistics(pool: Pick<Pool, 'query'>): Promise<LogStatistics> {
  const types = await pool.query<{ type: string; events: string; bytes: string }>(
    `SELECT type, count(*) AS events, sum(octet_length(data::text) + octet_length(metadata::text)) AS bytes FROM log.event GROUP BY type ORDER BY count(*) DESC, type`,
  )
  const categories = await pool.query<{ category: string; streams: string }>(
    `SELECT split_part(stream, '-', 1) AS category, count(*) AS streams FROM log.event WHERE revision = 0 GROUP BY 1 ORDER BY count(*) DESC, 1`,
  )
  const ends = await pool.query<{ bytes: string; first: string | null; last: string | null }>(
    `SELECT pg_total_relation_size('log.event') AS bytes,
       (SELECT metadata->>'recordedAt' FROM log.event ORDER BY position LIMIT 1) AS first,
       (SELECT metadata->>'recordedAt' FROM log.event ORDER BY position DESC LIMIT 1) AS last`,
  )
  const end = ends.rows[0]
  return {
    events: types.rows.reduce((sum, { events }) => sum + Number(events), 0),
    streams: categories.rows.reduce((sum, { streams }) => sum + Number(streams), 0),
    bytes: Number(end?.bytes ?? 0),
    firstRecordedAt: end?.first ?? null,
    lastRecordedAt: end?.last ?? null,
    types: types.rows.map(({ type, events, bytes }) => ({
      type,
      events: Number(events),
      bytes: Number(bytes),
    })),
    categories: categories.rows.map(({ category, streams }) => ({
      category,
      streams: Number(streams),
    })),
  }
}
