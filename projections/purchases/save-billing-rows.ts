import { upsertRows } from '#projections/engine/upsert-rows'
import { changeOfCounters, moveCounters } from '#projections/listing/counters'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import type { BillingRows } from './fold-billing.ts'
import { refundColumns, sharesOfRefund } from './lists/refund-columns.ts'
import { savePayments, type ChangedRows } from './lists/save-payments.ts'
import { loadSearchTexts } from './lists/search-texts.ts'
import { sharesOfSubscription, subscriptionColumns } from './lists/subscription-columns.ts'

/** Writes the rows that a batch changed, with the columns and the counts of the lists. */
export async function saveBillingRows(
  tx: Queryable,
  schema: string,
  before: BillingRows,
  after: BillingRows,
): Promise<void> {
  const changed: ChangedRows = {
    subscriptions: changedRows(before.subscriptions, after.subscriptions),
    charges: changedRows(before.charges, after.charges),
    receipts: changedRows(before.receipts, after.receipts),
    unpaidInvoices: changedRows(before.unpaidInvoices, after.unpaidInvoices),
    defaultMethods: changedRows(before.defaultMethods, after.defaultMethods),
    changes: changedRows(before.changes, after.changes),
    parties: changedRows(before.parties, after.parties),
    refunds: changedRows(before.refunds, after.refunds),
    creditNotes: changedRows(before.creditNotes, after.creditNotes),
    disputes: changedRows(before.disputes, after.disputes),
  }
  const { subscriptions, charges, refunds, creditNotes } = changed
  const textsOf = await loadSearchTexts(
    tx,
    schema,
    [...subscriptions, ...charges, ...refunds, ...creditNotes].map(({ user_id }) => user_id),
  )
  const write = (table: string, key: string, rows: readonly object[]) =>
    upsertRows(tx, `${schema}.${table}`, key, rows)
  const ended = subscriptions.filter(
    ({ subscription_id, ended_at }) =>
      before.subscriptions.get(subscription_id)?.ended_at?.getTime() !== ended_at?.getTime(),
  )
  const [payments] = await atOnce(
    () => savePayments(tx, schema, after, changed, ended, textsOf),
    () =>
      write(
        'subscription',
        'subscription_id',
        subscriptions.map((row) => ({
          ...row,
          ...subscriptionColumns(row),
          search_text: textsOf(row.user_id).emailsAndCompany,
        })),
      ),
    () => write('charge', 'charge_id', charges),
    () => write('receipt', 'payment_id', changed.receipts),
    () => write('unpaid_invoice', 'payment_id', changed.unpaidInvoices),
    () => write('default_method', 'user_id', changed.defaultMethods),
    () => write('parties', 'document_id', changed.parties),
    () => write('change', 'change_id', changed.changes),
    () =>
      write(
        'refund',
        'refund_id',
        refunds.map((row) => ({
          ...row,
          ...refundColumns(row),
          search_text: textsOf(row.user_id).emails,
        })),
      ),
    () => write('credit_note', 'credit_note_id', creditNotes),
    () => write('dispute', 'dispute_id', changed.disputes),
  )
  await moveCounters(tx, schema, [
    ...changeOfCounters(
      existing(before.subscriptions, subscriptions, 'subscription_id').flatMap(
        sharesOfSubscription,
      ),
      subscriptions.flatMap(sharesOfSubscription),
    ),
    ...changeOfCounters(
      existing(before.refunds, refunds, 'refund_id').flatMap(sharesOfRefund),
      refunds.flatMap(sharesOfRefund),
    ),
    ...payments,
  ])
}

/** The rows that folding has added or replaced. */
function changedRows<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): readonly Row[] {
  return [...after].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row)
}

/** The earlier versions of changed rows. */
function existing<Row, Key extends keyof Row>(
  before: ReadonlyMap<string, Row>,
  changed: readonly Row[],
  key: Key,
): readonly Row[] {
  return changed.flatMap((row) => before.get(String(row[key])) ?? [])
}
