import { randomUUID } from 'node:crypto'
import { WrongExpectedRevision } from '#services/event-store/errors'
import { someEvent } from '../data/some-event.ts'
import { eventStoreAt } from './event-store-url.ts'

/**
 * A separate program for tests/support/event-store/start-other-writer.ts. `writers` concurrent
 * appends compete for each of the revisions 0 to `count` - 1 of a stream. Sends its parent the
 * revisions that this process won.
 */
const [connectionString = '', stream = '', count = '0', writers = '1'] = process.argv.slice(2)

const store = eventStoreAt(connectionString)
await store.lastPosition()
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))

const won: number[] = []
for (let revision = 0; revision < Number(count); revision += 1) {
  const race = Array.from({ length: Number(writers) }, () =>
    store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [
      someEvent({ id: randomUUID() }),
    ]),
  )
  for (const outcome of await Promise.allSettled(race)) {
    if (outcome.status === 'fulfilled') won.push(revision)
    else if (!(outcome.reason instanceof WrongExpectedRevision)) throw outcome.reason
  }
}
await store.close()
process.send?.(won)
process.disconnect()
