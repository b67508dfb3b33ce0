import type pg from 'pg'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventStore } from '#services/event-store/event-store'
import { someEvents } from '../data/some-event.ts'
import { macKey } from './mac-key.ts'

/**
 * Appends `count` events to a stream, with hashes as the command handler chains them. Each event is
 * a separate append, so that streams mix in the log.
 */
export async function appendChained(
  store: EventStore,
  stream: string,
  count: number,
): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const stored = await store.readStream(stream)
    const last = stored.at(-1)
    await store.append(
      stream,
      last?.revision ?? 'no-stream',
      chain(stream, last, someEvents(1), macKey),
    )
  }
}

/**
 * Runs `sql` with the trigger `only_grows` disabled, as a user with the rights of the table's owner
 * can do.
 */
export async function tamper(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await pool.query('ALTER TABLE log.event DISABLE TRIGGER only_grows')
  await pool.query(sql, [...values])
  await pool.query('ALTER TABLE log.event ENABLE TRIGGER only_grows')
}
