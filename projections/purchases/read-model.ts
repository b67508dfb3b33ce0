import { accountEvents, type AccountEvent } from '#contracts/events/account'
import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import type { Queryable } from '../engine/queryable.ts'
import type { ReadModel } from '../engine/read-model.ts'
import { upsertRows } from '../engine/upsert-rows.ts'
import { streamOwner } from '../stream-owner.ts'
import { foldBilling, type BillingRows } from './fold-billing.ts'
import { foldCustomer } from './fold-customer.ts'
import type { ChangeRow, CustomerRow, SubscriptionRow } from './rows.ts'
import { createTables } from './tables.ts'

/** What each customer bought, paid and changed: their purchases page. */
export const purchases: ReadModel = {
  name: 'purchases',
  version: 1,
  handles: new Set([...Object.keys(accountEvents), ...Object.keys(billingEvents)] as DomainEvent['type'][]),
  createTables,
  async project(events, tx, schema) {
    await projectCustomers(events.filter(isAccountEvent), tx, schema)
    await projectBilling(events.filter(isBillingEvent), tx, schema)
  },
}

async function projectCustomers(events: readonly RecordedEvent<AccountEvent>[], tx: Queryable, schema: string): Promise<void> {
  if (events.length === 0) return
  const ids = new Set(events.map(({ stream }) => streamOwner(stream)))
  const { rows } = await tx.query<CustomerRow>(`SELECT * FROM ${schema}.customer WHERE user_id = ANY ($1)`, [[...ids]])
  const customers = new Map(rows.map((row) => [row.user_id, row]))
  for (const event of events) {
    const id = streamOwner(event.stream)
    customers.set(id, foldCustomer(customers.get(id), event))
  }
  await upsertRows(tx, `${schema}.customer`, 'user_id', [...customers.values()])
}

async function projectBilling(events: readonly RecordedEvent<BillingEvent>[], tx: Queryable, schema: string): Promise<void> {
  if (events.length === 0) return
  const rows = await loadBillingRows(events, tx, schema)
  for (const event of events) foldBilling(rows, event)
  await upsertRows(tx, `${schema}.subscription`, 'subscription_id', [...rows.subscriptions.values()])
  await upsertRows(tx, `${schema}.charge`, 'charge_id', [...rows.charges.values()])
  await upsertRows(tx, `${schema}.change`, 'change_id', [...rows.changes.values()])
}

async function loadBillingRows(events: readonly RecordedEvent<BillingEvent>[], tx: Queryable, schema: string): Promise<BillingRows> {
  const ids = new Set(events.flatMap(({ data }) => ('subscriptionId' in data && data.subscriptionId ? [data.subscriptionId] : [])))
  const subscriptions = await tx.query<SubscriptionRow>(`SELECT * FROM ${schema}.subscription WHERE subscription_id = ANY ($1)`, [[...ids]])
  const asked = subscriptions.rows.flatMap(({ cancellation_id }) => cancellation_id ?? [])
  const changes = asked.length === 0 ? [] : (await tx.query<ChangeRow>(`SELECT * FROM ${schema}.change WHERE change_id = ANY ($1)`, [asked])).rows
  return {
    subscriptions: new Map(subscriptions.rows.map((row) => [row.subscription_id, row])),
    charges: new Map(),
    changes: new Map(changes.map((row) => [row.change_id, row])),
  }
}

function isAccountEvent(event: RecordedEvent): event is RecordedEvent<AccountEvent> {
  return event.type in accountEvents
}

function isBillingEvent(event: RecordedEvent): event is RecordedEvent<BillingEvent> {
  return event.type in billingEvents
}
