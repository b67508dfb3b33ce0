import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ReadModel } from '#projections/engine/read-model'
import { upsertRows } from '#projections/engine/upsert-rows'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { streamOwner } from '#services/foundation/stream-names'
import {
  foldBilling,
  purchaseBilling,
  type BillingRows,
  type FoldedBillingEvent,
} from './fold-billing.ts'
import { foldCustomer, purchaseCustomers, type FoldedAccountEvent } from './fold-customer.ts'
import {
  createProviderCustomerIndexes,
  createProviderCustomers,
  linkedCustomers,
  projectProviderCustomers,
} from './provider-customers.ts'
import {
  changeRow,
  chargeRow,
  creditNoteRow,
  customerRow,
  defaultMethodRow,
  disputeRow,
  partiesDocument,
  partiesRow,
  receiptDocument,
  receiptRow,
  refundRow,
  subscriptionRow,
  unpaidInvoiceRow,
  type CustomerRow,
  type PartiesRow,
  type ReceiptRow,
} from './rows.ts'
import { withoutPerson } from './without-person.ts'
import { searchTextsOf, updateSearchTexts } from './lists/search-texts.ts'
import { saveBillingRows } from './save-billing-rows.ts'
import { createIndexes, createTables } from './tables.ts'

/**
 * Purchases, payments and subscription changes, for the purchases page and for the administrator's
 * payments, active plans and refunds.
 */
export const purchases: ReadModel = {
  name: 'purchases',
  version: 12,
  consumers: [purchaseCustomers, purchaseBilling, linkedCustomers],
  partitionKey: streamOwner,
  personalTables: [
    'customer',
    'subscription',
    'payment',
    'receipt',
    'parties',
    'refund',
    'credit_note',
  ],
  createTables: (schema) => createTables(schema) + createProviderCustomers(schema),
  createIndexes: (schema) => createIndexes(schema) + createProviderCustomerIndexes(schema),
  async project(events, tx, schema) {
    const ofAccounts = events.filter(purchaseCustomers.isFolded)
    const ofBilling = events.filter(purchaseBilling.isFolded)
    const [renamed, before] = await atOnce(
      () => projectCustomers(ofAccounts, tx, schema),
      () => loadBillingRows(ofBilling, tx, schema),
      () => projectProviderCustomers(events, tx, schema),
    )
    await projectBilling(ofBilling, before, tx, schema)
    await updateSearchTexts(tx, schema, renamed)
    // After the billing events, because a payment of the same batch can precede the erasure.
    await erasePurchases(ofAccounts, tx, schema)
  },
}

/** Returns the customers whose search texts changed. A customer who is new has no rows yet. */
async function projectCustomers(
  events: readonly RecordedEvent<FoldedAccountEvent>[],
  tx: Queryable,
  schema: string,
): Promise<readonly CustomerRow[]> {
  if (events.length === 0) return []
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
  return rows
    .map((before) => [before, customers.get(before.user_id) ?? before] as const)
    .filter(([before, after]) => !isDeepStrictEqual(searchTextsOf(before), searchTextsOf(after)))
    .map(([, after]) => after)
}

/**
 * A receipt repeats the name, the address and the page of the invoice, and so do other documents.
 * An administrator can have named a person in the reason of a refund's status, and an operator on a
 * credit note.
 */
async function erasePurchases(
  events: readonly RecordedEvent<FoldedAccountEvent>[],
  tx: Queryable,
  schema: string,
): Promise<void> {
  const erased = events.filter(({ type }) => type === 'PersonalDataErased')
  if (erased.length === 0) return
  const userIds = [...new Set(erased.map(({ stream }) => streamOwner(stream)))]
  const receipts = await allRows(
    tx,
    receiptRow,
    `SELECT * FROM ${schema}.receipt WHERE user_id = ANY ($1)`,
    [userIds],
  )
  await upsertRows(
    tx,
    `${schema}.receipt`,
    'payment_id',
    receipts.map(withoutPerson<ReceiptRow, typeof receiptDocument>(receiptDocument)),
  )
  const parties = await allRows(
    tx,
    partiesRow,
    `SELECT * FROM ${schema}.parties WHERE user_id = ANY ($1)`,
    [userIds],
  )
  await upsertRows(
    tx,
    `${schema}.parties`,
    'document_id',
    parties.map(withoutPerson<PartiesRow, typeof partiesDocument>(partiesDocument)),
  )
  for (const [table, column] of writtenColumns)
    await tx.query(
      `UPDATE ${schema}.${table} SET ${column} = $2 WHERE user_id = ANY ($1) AND ${column} IS NOT NULL`,
      [userIds, erasedValue],
    )
}

/** The columns with what a person wrote. */
const writtenColumns = [
  ['refund', 'override_reason'],
  ['refund', 'memo'],
  ['credit_note', 'memo'],
] as const

async function projectBilling(
  events: readonly RecordedEvent<FoldedBillingEvent>[],
  before: BillingRows,
  tx: Queryable,
  schema: string,
): Promise<void> {
  if (events.length === 0) return
  const rows: BillingRows = {
    subscriptions: new Map(before.subscriptions),
    charges: new Map(before.charges),
    receipts: new Map(before.receipts),
    unpaidInvoices: new Map(before.unpaidInvoices),
    defaultMethods: new Map(before.defaultMethods),
    changes: new Map(before.changes),
    parties: new Map(before.parties),
    refunds: new Map(before.refunds),
    creditNotes: new Map(before.creditNotes),
    disputes: new Map(before.disputes),
  }
  for (const event of events) foldBilling(rows, event)
  await saveBillingRows(tx, schema, before, rows)
}

/** The events that change an unpaid invoice. A failed attempt replaces its row. */
const ofInvoice: ReadonlySet<string> = new Set([
  'PaymentSucceeded',
  'UnpaidInvoiceChanged',
  'InvoiceWrittenOff',
])

/** The id that a field of the data has. None: the data has no such field, or null in it. */
function idsIn(data: object, field: string): readonly string[] {
  const id: unknown = Reflect.get(data, field)
  return typeof id === 'string' && id !== '' ? [id] : []
}

/** The rows that the events change. An event that adds a row needs no earlier row. */
async function loadBillingRows(
  events: readonly RecordedEvent<FoldedBillingEvent>[],
  tx: Queryable,
  schema: string,
): Promise<BillingRows> {
  const rowsBy = async <Schema extends z.ZodObject>(
    row: Schema,
    table: string,
    key: keyof z.output<Schema> & string,
    ids: readonly string[],
  ): Promise<Map<string, Readonly<z.output<Schema>>>> => {
    if (ids.length === 0) return new Map()
    const found = await allRows(
      tx,
      row,
      `SELECT * FROM ${schema}.${table} WHERE ${key} = ANY ($1)`,
      [[...new Set(ids)]],
    )
    return new Map(found.map((each) => [String(each[key]), each]))
  }
  const idsOf = (field: 'refundId' | 'creditNoteId' | 'disputeId') =>
    events.flatMap(({ data }) => idsIn(data, field))
  const [subscriptions, charges, unpaidInvoices, defaultMethods, refunds, creditNotes, disputes] =
    await atOnce(
      () =>
        rowsBy(
          subscriptionRow,
          'subscription',
          'subscription_id',
          events.flatMap(({ data }) => idsIn(data, 'subscriptionId')),
        ),
      () => loadShortenedCharges(events, tx, schema),
      () =>
        rowsBy(
          unpaidInvoiceRow,
          'unpaid_invoice',
          'payment_id',
          events.flatMap(({ type, data }) => (ofInvoice.has(type) ? idsIn(data, 'paymentId') : [])),
        ),
      () =>
        rowsBy(
          defaultMethodRow,
          'default_method',
          'user_id',
          events
            .filter(({ type }) => type === 'PaymentSucceeded')
            .map(({ stream }) => streamOwner(stream)),
        ),
      () => rowsBy(refundRow, 'refund', 'refund_id', idsOf('refundId')),
      () => rowsBy(creditNoteRow, 'credit_note', 'credit_note_id', idsOf('creditNoteId')),
      () => rowsBy(disputeRow, 'dispute', 'dispute_id', idsOf('disputeId')),
    )
  const changeIds = [...subscriptions.values()].flatMap(({ cancellation_id, planned_change }) =>
    [cancellation_id, planned_change?.change_id].filter((id) => typeof id === 'string'),
  )
  return {
    subscriptions,
    charges,
    receipts: new Map(),
    unpaidInvoices,
    defaultMethods,
    parties: new Map(),
    changes: await rowsBy(changeRow, 'change', 'change_id', changeIds),
    refunds,
    creditNotes,
    disputes,
  }
}

/** A plan change can shorten the paid periods of earlier charges. Plan changes are rare. */
async function loadShortenedCharges(
  events: readonly RecordedEvent<FoldedBillingEvent>[],
  tx: Queryable,
  schema: string,
): Promise<BillingRows['charges']> {
  const changes = events.filter((event) => event.type === 'PlanChanged')
  if (changes.length === 0) return new Map()
  const rows = await allRows(
    tx,
    chargeRow,
    `SELECT * FROM ${schema}.charge WHERE user_id = ANY ($1) AND subscription_id = ANY ($2) AND period_end IS NOT NULL`,
    [
      changes.map(({ stream }) => streamOwner(stream)),
      changes.map(({ data }) => data.subscriptionId),
    ],
  )
  return new Map(rows.map((row) => [row.charge_id, row]))
}
