import { randomUUID } from 'node:crypto'
import { WrongExpectedRevision } from '#services/event-store/errors'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { someEvent } from './some-event.ts'

/**
 * A program of its own, for tests/support/start-other-writer.ts: races for the revisions 0 to
 * `count` - 1 of a stream, and tells its parent which ones it won.
 */
const [connectionString = '', stream = '', count = '0'] = process.argv.slice(2)

const store = createPostgresEventStore({ connectionString })
await store.lastPosition()
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))

const won: number[] = []
for (let revision = 0; revision < Number(count); revision += 1) {
  try {
    await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [someEvent({ id: randomUUID() })])
    won.push(revision)
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error
  }
}
await store.close()
process.send?.(won)
process.disconnect()
