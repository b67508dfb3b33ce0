import pg from 'pg'
import type { FreshKeys } from './fresh-keys.ts'
import type { SimulatedAppend } from './simulated-stream.ts'

const batchSize = 5_000

/**
 * Writes the appends to an empty log until it has `count` events, or a few more, and the keys that
 * `keys` has made. Inserts thousands of rows at once and does not call log.append, because no other
 * process uses this log yet.
 */
export async function writeAppends(
  connectionString: string,
  appends: AsyncIterable<SimulatedAppend>,
  keys: Pick<FreshKeys, 'store'>,
  count: number,
  onProgress: (events: number) => void,
): Promise<void> {
  const db = new pg.Client({ connectionString })
  await db.connect()
  let rows = newRows()
  let written = 0
  let writing: Promise<unknown> = Promise.resolve()

  // The simulation makes the next batch while the database writes this batch.
  const flush = async (): Promise<void> => {
    await writing
    const full = rows
    rows = newRows()
    written += full.stream.length
    writing = Promise.all([keys.store(db), db.query(insert, Object.values(full))])
    writing.catch(() => undefined)
    onProgress(written)
  }
  for await (const append of appends) {
    addTo(rows, append)
    if (rows.stream.length >= batchSize) await flush()
    if (written + rows.stream.length >= count) break
  }
  await flush()
  await writing
  await db.query('VACUUM (ANALYZE) log.event')
  await db.query('VACUUM (ANALYZE) app.personal_key')
  await db.query('CREATE TABLE public.complete_log ()')
  await db.query('CHECKPOINT')
  await db.end()
}

const insert = `INSERT INTO log.event (stream, revision, id, type, data, metadata)
  SELECT * FROM unnest($1::text[], $2::integer[], $3::uuid[], $4::text[], $5::json[], $6::json[])`

function newRows() {
  return {
    stream: [] as string[],
    revision: [] as number[],
    id: [] as string[],
    type: [] as string[],
    data: [] as string[],
    metadata: [] as string[],
  }
}

function addTo(
  rows: ReturnType<typeof newRows>,
  { stream, expected, events }: SimulatedAppend,
): void {
  const first = expected === 'no-stream' ? 0 : expected + 1
  events.forEach((event, index) => {
    rows.stream.push(stream)
    rows.revision.push(first + index)
    rows.id.push(event.id)
    rows.type.push(event.type)
    rows.data.push(JSON.stringify(event.data))
    rows.metadata.push(JSON.stringify(event.metadata))
  })
}
