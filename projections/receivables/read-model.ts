import type { ReadModel } from '#projections/engine/read-model'
import { streamOwner } from '#services/foundation/stream-names'
import { receivableConsumer } from './consumer.ts'
import { foldBatch } from './fold-batch.ts'
import { createIndexes, createTables } from './tables.ts'

/**
 * Clients, receivables and messages of all merchants, for their overview, lists and statements.
 *
 * The events of a client and of its receivables are in separate streams, and the erasure of a
 * client removes texts of its receivables. So one projector folds the log in its order: otherwise a
 * shard that is behind could write a text back that another one had removed. A parked stream still
 * waits alone, because each row follows from the rows of other streams as they are when either
 * changes.
 */
export const receivables: ReadModel = {
  name: 'receivables',
  version: 15,
  consumers: [receivableConsumer],
  partitionKey: streamOwner,
  concernAll: new Set(['ClientErased']),
  personalTables: ['client', 'receivable'],
  createTables,
  createIndexes,
  project: foldBatch,
}
