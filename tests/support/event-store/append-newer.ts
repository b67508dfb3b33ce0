import { randomUUID } from 'node:crypto'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventStore } from '#services/event-store/event-store'
import { someEvent } from '../data/some-event.ts'
import { macKey } from './mac-key.ts'

/** Appends an event of release 99.1.0 to a stream, with a genuine hash and MAC. */
export async function appendNewer(
  store: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
): Promise<void> {
  const last = (await store.readStream(stream)).at(-1)
  const metadata = { ...someEvent().metadata, release: '99.1.0' }
  const event = someEvent({ id: randomUUID(), type: 'NoteAdded', data: {}, metadata })
  await store.append(stream, last?.revision ?? 'no-stream', chain(stream, last, [event], macKey))
}
