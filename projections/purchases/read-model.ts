import { accountEvents } from '#contracts/events/account'
import { billingEvents } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { foldedTypes } from '#projections/engine/folded-types'
import type { ReadModel } from '#projections/engine/read-model'
import { upsertRows } from '#projections/engine/upsert-rows'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { streamOwner } from '#services/foundation/stream-names'
import {
  foldBilling,
  ignoredBillingTypes,
  type BillingRows,
  type FoldedBillingEvent,
} from './fold-billing.ts'
import { foldCustomer, ignoredAccountTypes, type FoldedAccountEvent } from './fold-customer.ts'
import { changeRow, customerRow, subscriptionRow } from './rows.ts'
import { createIndexes, createTables } from './tables.ts'

const ofAccount = foldedTypes(accountEvents, ignoredAccountTypes)
const ofBilling = foldedTypes(billingEvents, ignoredBillingTypes)

/** Purchases, payments and subscription changes per customer, for the purchases page. */
export const purchases: ReadModel = {
  name: 'purchases',
  version: 2,
  handles: new Set([...ofAccount.types, ...ofBilling.types]),
  partitionKey: streamOwner,
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    await projectCustomers(events.filter(ofAccount.isFolded), tx, schema)
    await projectBilling(events.filter(ofBilling.isFolded), tx, schema)
  },
}

async function projectCustomers(
  events: readonly RecordedEvent<FoldedAccountEvent>[],
  tx: Queryable,
  schema: string,
): Promise<void> {
  if (events.length === 0) return
  const ids = new Set(events.map(({ stream }) => streamOwner(stream)))
  const rows = await allRows(
    tx,
    customerRow,
    `SELECT * FROM ${schema}.customer WHERE user_id = ANY ($1)`,
    [[...ids]],
  )
  const customers = new Map(rows.map((row) => [row.user_id, row]))
  for (const event of events) {
    const id = streamOwner(event.stream)
    customers.set(id, foldCustomer(customers.get(id), event))
  }
  await upsertRows(tx, `${schema}.customer`, 'user_id', [...customers.values()])
}

async function projectBilling(
  events: readonly RecordedEvent<FoldedBillingEvent>[],
  tx: Queryable,
  schema: string,
): Promise<void> {
  if (events.length === 0) return
  const before = await loadBillingRows(events, tx, schema)
  const rows: BillingRows = {
    subscriptions: new Map(before.subscriptions),
    charges: new Map(before.charges),
    changes: new Map(before.changes),
  }
  for (const event of events) foldBilling(rows, event)
  await upsertRows(
    tx,
    `${schema}.subscription`,
    'subscription_id',
    changed(before.subscriptions, rows.subscriptions),
  )
  await upsertRows(tx, `${schema}.charge`, 'charge_id', changed(before.charges, rows.charges))
  await upsertRows(tx, `${schema}.change`, 'change_id', changed(before.changes, rows.changes))
}

/** The rows that folding has added or replaced. */
function changed<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): readonly Row[] {
  return [...after].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row)
}

async function loadBillingRows(
  events: readonly RecordedEvent<FoldedBillingEvent>[],
  tx: Queryable,
  schema: string,
): Promise<BillingRows> {
  const ids = new Set(
    events.flatMap(({ data }) =>
      'subscriptionId' in data && data.subscriptionId ? [data.subscriptionId] : [],
    ),
  )
  const subscriptions = await allRows(
    tx,
    subscriptionRow,
    `SELECT * FROM ${schema}.subscription WHERE subscription_id = ANY ($1)`,
    [[...ids]],
  )
  const cancellationIds = subscriptions.flatMap(({ cancellation_id }) => cancellation_id ?? [])
  const changes =
    cancellationIds.length === 0
      ? []
      : await allRows(tx, changeRow, `SELECT * FROM ${schema}.change WHERE change_id = ANY ($1)`, [
          cancellationIds,
        ])
  return {
    subscriptions: new Map(subscriptions.map((row) => [row.subscription_id, row])),
    charges: new Map(),
    changes: new Map(changes.map((row) => [row.change_id, row])),
  }
}
