import type { ReadModel } from '#projections/engine/read-model'
import { streamOwner } from '#services/foundation/stream-names'
import { foldEvent, userConsumer } from './fold-event.ts'
import type { UserCounter } from './counters.ts'
import { createIndexes, createTables } from './tables.ts'
import { trendChange } from './trends.ts'
import { loadUsers, saveUsers } from './user-rows.ts'
import type { User } from './user.ts'

/**
 * All users with their type, plans and spending, for the administrator's list and dashboard cards.
 */
export const users: ReadModel = {
  name: 'users',
  version: 7,
  consumers: [userConsumer],
  partitionKey: streamOwner,
  personalTables: ['users'],
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    const concerned = events.filter(userConsumer.isFolded)
    const before = await loadUsers(tx, schema, [
      ...new Set(concerned.map(({ stream }) => streamOwner(stream))),
    ])
    const after = new Map<string, User>()
    const changesByMonth: UserCounter[] = []
    for (const event of concerned) {
      const id = streamOwner(event.stream)
      const earlier = after.get(id) ?? before.get(id)
      const later = foldEvent(earlier, event)
      changesByMonth.push(...trendChange(earlier, later, new Date(event.metadata.occurredAt)))
      after.set(id, later)
    }
    await saveUsers(tx, schema, before, after, changesByMonth)
  },
}
