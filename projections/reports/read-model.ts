import type { ReadModel } from '#projections/engine/read-model'
import { ledger } from '#services/finance/ledger/book-event'
import { failedPayments } from '#services/finance/failed-payments/fold-failed-payments'
import { refundMeasures } from '#services/finance/refunds/fold-refunds'
import { subscriptionMeasures } from '#services/finance/subscriptions/fold-subscriptions'
import { daysIn, parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { foldBatch } from './fold/fold-batch.ts'
import { createIndexes, createTables } from './tables.ts'

const cutOffs = eventConsumer({
  name: 'reports: cut-off of a month',
  concernedBy: ['books'],
  ignores: ['MonthClosed'],
})

/**
 * The figures of the reports, and the events behind each figure. The rows are computed by the rules
 * of `services/finance/`, as a replay does (docs/decisions/0030-reports-read-model.md).
 *
 * A close of a month changes the accounting dates of the later events of all customers, and the
 * journal has one order. So one projector folds it, and a parked event keeps its number in the log:
 * its rows are those of an undisturbed run, whenever it is folded.
 *
 * The days are those of the time zone in which the first batch was folded. Another time zone needs
 * a rebuild; until then, queries refuse it.
 */
export function reportsIn(timeZone: TimeZone): ReadModel {
  const dayOf = daysIn(timeZone)
  const known = { timeZone, dayOf }
  return {
    name: 'reports',
    version: 11,
    partitionKey: streamOwner,
    concernAll: cutOffs.folds,
    consumers: [ledger, subscriptionMeasures, failedPayments, refundMeasures, cutOffs],
    createTables,
    createIndexes,
    project: (events, tx, schema) => foldBatch(events, tx, schema, known),
  }
}

function utc(): TimeZone {
  const zone = parseTimeZone('UTC')
  if (zone === null) throw new Error('Node has no time zone UTC. Install Node with ICU data.')
  return zone
}

/** Name, version and tables of the read model. It folds in UTC. */
export const reports = reportsIn(utc())
