import type { ReadModel } from '#projections/engine/read-model'
import { streamOwner } from '#services/foundation/stream-names'
import { loadEnquiries, saveEnquiries } from './enquiry-rows.ts'
import type { Enquiry } from './enquiry.ts'
import { enquiryConsumer, foldEvent } from './fold-event.ts'
import { createIndexes, createTables } from './tables.ts'

/** All enquiries, for the administrator's list and dashboard cards. */
export const enquiries: ReadModel = {
  name: 'enquiries',
  version: 2,
  consumers: [enquiryConsumer],
  partitionKey: streamOwner,
  personalTables: ['enquiries'],
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    const concerned = events.filter(enquiryConsumer.isFolded)
    const before = await loadEnquiries(tx, schema, [
      ...new Set(concerned.map(({ stream }) => streamOwner(stream))),
    ])
    const after = new Map<string, Enquiry>()
    for (const event of concerned) {
      const id = streamOwner(event.stream)
      after.set(id, foldEvent(after.get(id) ?? before.get(id), event))
    }
    await saveEnquiries(tx, schema, before, after)
  },
}
