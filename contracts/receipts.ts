import { z } from 'zod'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'
import { openEnum } from './open-enum.ts'
import { settledStatuses } from './payment-status.ts'

/** A line of the invoice. `amount` is negative for a credit. */
const receiptLine = z.object({
  description: z.string().nullable(),
  quantity: z.int().nullable(),
  amount: z.number(),
  period_start: instant,
  period_end: instant,
  is_proration: z.boolean(),
})

/**
 * `GET /api/receipts/{id}`: the receipt of a payment or of a refund, or the credit note of an
 * invoice of a negative total. Amounts are in decimal major units of `currency`.
 */
export const receipt = z.object({
  /** The id of the payment or of the refund. */
  receipt_id: z.string(),
  kind: z.enum(['payment', 'credit_note', 'refund']),
  /** The number of the paid invoice. Null if the provider gave none. */
  invoice_number: z.string().nullable(),
  /** The name of the PDF file. */
  file_name: z.string(),
  pdf_url: z.string(),
  /** When the money moved, or when the credit was granted. */
  issued_at: instant,
  /**
   * A payment: paid, refunded, disputed, dispute_lost. A credit note: paid. A refund: succeeded,
   * pending, failed.
   */
  status: openEnum(settledStatuses),
  currency: z.string(),
  /** Null for a credit note: no card was used. */
  payment_method: z.string().nullable(),
  /** The seller when the document was issued. */
  seller: z.object({ name: z.string(), address: z.array(z.string()), email: z.string() }),
  billed_to: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    /** The lines of the address; empty if it is unknown. */
    address: z.array(z.string()),
    /** The two-letter code, or null. */
    country: z.string().nullable(),
  }),
  /** Empty for a refund. */
  lines: z.array(receiptLine),
  period: z.object({ start: instant, end: instant }).nullable(),
  /** The sums of the invoice; null for a refund. */
  amounts: z
    .object({
      subtotal: z.number(),
      /** Not negative. */
      discount: z.number(),
      tax: z.number(),
      total: z.number(),
      /** Paid from the customer's credit balance; negative if the invoice added to the balance. */
      from_balance: z.number(),
      paid: z.number(),
    })
    .nullable(),
  /** Null for a payment and for a credit note. */
  refund: z
    .object({
      /** Negative. */
      amount: z.number(),
      plan_name: z.string(),
      reason: z.string().nullable(),
      /** What the refund's credit note says to the customer; null without one. */
      memo: z.string().nullable(),
      /** The refunded payment; null if it is not a payment of the product. */
      original: z
        .object({ receipt_id: z.string(), amount: z.number(), paid_at: instant })
        .nullable(),
    })
    .nullable(),
})

export type Receipt = z.infer<typeof receipt>

nameContracts({ Receipt: receipt, ReceiptLine: receiptLine })
