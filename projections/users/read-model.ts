import type { ReadModel } from '#projections/engine/read-model'
import { streamOwner } from '#services/foundation/stream-names'
import { foldEvent, userEvents } from './fold-event.ts'
import { createIndexes, createTables } from './tables.ts'
import { loadUsers, saveUsers } from './user-rows.ts'
import type { User } from './user.ts'

/**
 * All users with their type, plans and spending, for the administrator's list and dashboard cards.
 */
export const users: ReadModel = {
  name: 'users',
  version: 4,
  handles: userEvents.types,
  partitionKey: streamOwner,
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    const concerned = events.filter(userEvents.isFolded)
    const before = await loadUsers(tx, schema, [
      ...new Set(concerned.map(({ stream }) => streamOwner(stream))),
    ])
    const after = new Map<string, User>()
    for (const event of concerned) {
      const id = streamOwner(event.stream)
      after.set(id, foldEvent(after.get(id) ?? before.get(id), event))
    }
    await saveUsers(tx, schema, before, after)
  },
}
