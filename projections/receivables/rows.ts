import { z } from 'zod'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { receivableHistory } from './receivable-history.ts'
import { reminderTimes } from './reminder-times.ts'

/** Days are texts `yyyy-mm-dd`, in the merchant's time zone. */
const day = z.string()

export const clientRow = z.object({
  client_id: z.string(),
  merchant_id: z.string(),
  name: z.string(),
  name_sort: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** A state of the USA by its name, and an IANA name: when a message may go out. */
  state_name: z.string().nullable(),
  time_zone: z.string().nullable(),
  /** The client agreed to texts. */
  may_text: z.boolean(),
  /** The address, the number refused messages for good. */
  mail_bounced: z.boolean(),
  text_bounced: z.boolean(),
  is_held: z.boolean(),
  /** The first day without the hold. NULL: until it is released. */
  hold_until: day.nullable(),
  /** The end of the last hold by hand. */
  released_at: dateColumn.nullable(),
  is_erased: z.boolean(),
  /** The import that added it was undone: it is on no list. */
  is_withdrawn: z.boolean(),
  /**
   * What is left of each credit, in minor units: `{creditId: {currency, left}}`. `short`: what a
   * refund took that the credit had paid for other invoices.
   */
  credits: z.record(
    z.string(),
    z.object({ currency: z.string(), left: z.int(), short: z.int().optional() }),
  ),
  has_credit: z.boolean(),
  added_at: dateColumn,
  search_text: z.string(),
  /** What an import compares (`contracts/receivables/client-key.ts`). */
  name_key: z.string(),
  number_key: z.string().nullable(),
  email_key: z.string().nullable(),
})
export type ClientRow = Readonly<z.infer<typeof clientRow>>

export const receivableRow = z.object({
  receivable_id: z.string(),
  merchant_id: z.string(),
  client_id: z.string(),
  number: z.string(),
  number_sort: z.string(),
  reference: z.string().nullable(),
  dispute_text: z.string().nullable(),
  currency: z.string(),
  since: day,
  issue_date: day.nullable(),
  due_date: day,
  amount_minor: integerColumn,
  open_minor: integerColumn,
  /** open, paid, written-off, canceled, withdrawn */
  state: z.string(),
  promised_by: day.nullable(),
  is_held: z.boolean(),
  hold_until: day.nullable(),
  is_disputed: z.boolean(),
  /** merchant, client, bank. NULL: it is not disputed. */
  disputed_by: z.string().nullable(),
  /** Open, and with a promise, a hold or a dispute, whether or not it is over. */
  has_agreement: z.boolean(),
  /** Copies of the client's columns: lists sort, search and filter by them. */
  client_name: z.string(),
  client_sort: z.string(),
  client_is_held: z.boolean(),
  client_hold_until: day.nullable(),
  added_at: dateColumn,
  last_day: day,
  /** These three: NULL unless the invoice counts in the days to pay. */
  settled_on: day.nullable(),
  days_to_pay: z.int().nullable(),
  paid_minor: integerColumn.nullable(),
  search_text: z.string(),
  history: receivableHistory,
  reminder_times: reminderTimes,
})
export type ReceivableRow = Readonly<z.infer<typeof receivableRow>>

/** A movement: an event that changes what is open of a receivable, or that is money. */
export interface MovementRow {
  /** The number of the event in the log. */
  readonly number: number
  readonly event_id: string
  readonly type: string
  readonly merchant_id: string
  readonly client_id: string
  readonly receivable_id: string
  readonly currency: string
  readonly day: string
  /** The change of what is open. */
  readonly amount_minor: number
  /** Money that came, or, negative, that went back. */
  readonly money_minor: number
  readonly payment_id: string | null
  readonly method: string | null
  readonly is_reversed: boolean
  readonly recorded_at: string
  /** The change of what was invoiced. */
  readonly invoiced_minor: number
}
