import { z } from 'zod'
import { toMinorUnits } from '../currency.ts'
import { optional } from '../form-text.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { refundReasons } from '../refund-reasons.ts'
import { shownRefundStatuses } from '../refund-status.ts'

/** What is left of a payment, in decimal major units of its currency. */
const refundableRest = z.object({
  currency,
  /** What the payment provider collected. */
  collected: z.number(),
  /** The refunds that did not fail. */
  refunded: z.number(),
  /** The refunds that wait for the payment provider. */
  waiting: z.number(),
  left: z.number(),
})

/** `GET /api/admin/payments/{id}/refundable` */
export const refundablePayment = z.object({
  payment_id: z.string(),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  /** Why nothing can be refunded, as a sentence. Null if something can. */
  obstacle: z.string().nullable(),
  /** Null if the payment provider has no money of the payment. */
  rest: refundableRest.nullable(),
  /**
   * What one administrator can still refund of the payment, in decimal major units. Above it a
   * second administrator approves the refund. Null: none is needed, or nothing can be refunded.
   */
  alone_up_to: z.number().min(0).nullable(),
})

/**
 * `POST /api/admin/payments/{id}/refunds`. `request_id` is a random id that the dialog keeps: the
 * same id refunds once, whatever happens to the answer. `amount` is in decimal major units of
 * `currency`, which is that of the payment. `note` is for the product's history only.
 */
export const refundPaymentRequest = z
  .object({
    request_id: z.uuid('The id of the request is a UUID.'),
    amount: z
      .number('Enter an amount.')
      .positive('Enter an amount above 0.')
      .max(1_000_000_000_000, 'The amount is too large.'),
    currency,
    reason: z.enum(refundReasons, 'Choose a reason.'),
    note: optional('Note', 500),
  })
  .refine(({ amount, currency: code }) => toMinorUnits(amount, code) !== null, {
    path: ['amount'],
    error: 'The amount has more decimals than its currency.',
  })

export const refundPaymentResponse = z.object({
  request_id: z.string(),
  /**
   * `created`: the payment provider created the refund. `waiting`: it has not answered yet; the
   * product continues by itself. `proposed`: nothing is refunded before a second administrator
   * approves it.
   */
  status: z.enum(['created', 'waiting', 'proposed']),
  /** Null while the refund waits, or is proposed. */
  refund_id: z.string().nullable(),
  refund_status: openEnum(shownRefundStatuses).nullable(),
  currency,
  amount: z.number(),
})

export type RefundablePayment = z.infer<typeof refundablePayment>

nameContracts({
  RefundablePayment: refundablePayment,
  RefundPaymentRequest: refundPaymentRequest,
  RefundPaymentResponse: refundPaymentResponse,
})
