import { expect, it } from '@jest/globals'
import { newerAt } from '#projections/engine/operate/newer-at'
import { newerNext } from '#projections/engine/operate/newer-next'
import { users } from '#projections/users/read-model'
import { EventStoreUnavailable, UnreadableEvent } from '#services/event-store/errors'

const event = { id: 'id', type: 'ProfileUpdated', stream: 'account-usr_1', revision: 3 }
const paused = { ...event, position: '7' }
const shards = [{ shard: 0, position: null }]

/** A store whose reads fail. */
const failing = (error: Error) => ({
  readStream: () => Promise.reject(error),
  // oxlint-disable-next-line require-yield -- the first read fails
  async *readAll(): AsyncGenerator<never> {
    throw error
  },
})

it('an event that another program wrote into EventStoreDB needs no newer release, so it can be skipped', async () => {
  const store = failing(new UnreadableEvent(event, 'it is not JSON with metadata.'))
  expect(await newerAt(store, paused)).toBeNull()
  expect(await newerNext(store, users, shards)).toBeNull()
})

it('an event store that does not answer says nothing about releases', async () => {
  const store = failing(new EventStoreUnavailable(new Error('no answer')))
  await expect(newerAt(store, paused)).rejects.toThrow(EventStoreUnavailable)
  await expect(newerNext(store, users, shards)).rejects.toThrow(EventStoreUnavailable)
})
