import type pg from 'pg'
import type { EventStore, JsonValue } from '#services/event-store/event-store'
import { tamper } from './chained-log.ts'

/**
 * Makes the payload of a stored event unreadable, as a user with the rights of the table's owner
 * can do. The returned function restores the event.
 */
export async function breakEvent(
  { pool, store }: { readonly pool: pg.Pool; readonly store: Pick<EventStore, 'readStream'> },
  stream: string,
  revision: number,
  broken: JsonValue = [],
): Promise<() => Promise<void>> {
  const [event] = await store.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}.`)
  const write = (data: JsonValue) =>
    tamper(pool, 'UPDATE log.event SET data = $2 WHERE id = $1', [event.id, JSON.stringify(data)])
  await write(broken)
  return () => write(event.data)
}
