import type pg from 'pg'
import { z } from 'zod'
import { integerColumn, positionColumn } from '#services/foundation/columns'
import { inGroups } from '#services/foundation/in-groups'
import type { Statement } from '#services/foundation/queryable'
import { firstRow, oneRow } from '#services/foundation/rows'
import { orUnavailable } from '../database-unavailable.ts'
import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import {
  eventsOfParts,
  joined,
  readLastQuery,
  readStreamQuery,
  readStreamsQuery,
  type StreamPart,
} from './read-streams.ts'
import { assertEventRows, assertPosition, eventColumns } from './rows.ts'

/** Reads of streams that are one statement: an import asks for hundreds. */
const groups = { maxKeys: 128, atOnce: 2 }
/** A page of a command's stream. */
const maxGrouped = 1_000
/** The largest bigint. No position reaches it. */
const beyondAll = '9223372036854775807'

const identityRow = z.object({ id: z.string() })
const positionRow = z.object({ position: positionColumn })
const countRow = z.object({ count: integerColumn })

/** Reads events and positions of the log, as the port of the event store describes them. */
export function createEventReading(readers: pg.Pool) {
  async function readEvents(statement: Statement): Promise<StoredEvent[]> {
    const { rows }: { rows: unknown[] } = await orUnavailable(() => readers.query(statement))
    assertEventRows(rows)
    return rows
  }

  async function readPage(after: Position | null, limit: number): Promise<readonly StoredEvent[]> {
    const rows = await readEvents({
      name: 'read-page',
      text: `SELECT ${eventColumns} FROM log.event e WHERE e.position > $1 ORDER BY e.position LIMIT $2`,
      values: [after === null ? '0' : assertPosition(after), limit],
    })
    // V8 learns to allocate pg's array in the old generation, where it outlives its query. A full
    // array would keep every page until the next full collection, which doubles the cost of a
    // replay.
    const page = rows.slice()
    rows.length = 0
    return page
  }

  const readInGroup = inGroups({
    ...groups,
    answer: async (parts: readonly StreamPart[]) => {
      const [only, second] = joined(parts)
      const events = await readEvents(
        only !== undefined && second === undefined
          ? readStreamQuery(only.stream, only.fromRevision, only.maxCount)
          : readStreamsQuery(joined(parts)),
      )
      return eventsOfParts(parts, events)
    },
  })

  const readLastInGroup = inGroups({
    ...groups,
    answer: async (streams: readonly string[]) => {
      const last = await readEvents(readLastQuery([...new Set(streams)]))
      const byStream = new Map(last.map((event) => [event.stream, event]))
      return streams.map((stream) => byStream.get(stream) ?? null)
    },
  })

  // A whole stream can be long, so it is read alone.
  const readStream: EventStore['readStream'] = async (stream, fromRevision = 0, maxCount) =>
    maxCount === undefined || maxCount > maxGrouped
      ? readEvents(readStreamQuery(stream, fromRevision, maxCount ?? null))
      : readInGroup({ stream, fromRevision, maxCount })

  async function* readBackwards(pageSize = 1_000): AsyncGenerator<readonly StoredEvent[]> {
    for (let before: Position | null = null; ;) {
      const page: readonly StoredEvent[] = await readEvents({
        name: 'read-backwards',
        text: `SELECT ${eventColumns} FROM log.event e WHERE e.position < $1 ORDER BY e.position DESC LIMIT $2`,
        values: [before ?? beyondAll, pageSize],
      })
      if (page.length > 0) yield page
      if (page.length < pageSize) return
      before = page.at(-1)?.position ?? null
    }
  }

  async function identity(): Promise<string> {
    const row = await orUnavailable(() =>
      firstRow(readers, identityRow, 'SELECT id FROM log.identity'),
    )
    if (row === undefined)
      throw new Error('log.identity has no row: run the migrations of this release.')
    return row.id
  }

  async function lastPosition(): Promise<Position | null> {
    const last = await orUnavailable(() =>
      firstRow(
        readers,
        positionRow,
        'SELECT e.position::text AS position FROM log.event e ORDER BY e.position DESC LIMIT 1',
      ),
    )
    return last?.position ?? null
  }

  async function countAfter(after: Position | null): Promise<number> {
    const { count } = await orUnavailable(() =>
      oneRow(readers, countRow, 'SELECT count(*) AS count FROM log.event e WHERE e.position > $1', [
        after ?? '0',
      ]),
    )
    return count
  }

  return {
    readPage,
    readStream,
    readLast: readLastInGroup,
    readBackwards,
    lastPosition,
    countAfter,
    identity,
  }
}
