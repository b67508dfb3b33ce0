import { z } from 'zod'
import { instant } from '../instant.ts'
import { money } from '../money.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/** Owned by the stored events: an API that offers other reasons does not change what is stored. */
const reason = mayGrow(z.enum(['requested_by_customer', 'duplicate', 'fraudulent']))

/** `requestId`: the refund has this id too, once it is requested. `by`: the administrator's id. */
const act = { requestId: z.string(), by: z.string() }

/**
 * Stream `refundApproval-{userId}`: the refunds of a customer's payments that one administrator
 * proposed and that another one approves, if a setting demands it. `amount` is in the currency of
 * the payment.
 */
export const refundApprovalEvents = {
  /** `note` is for the product's history only. After `expiresAt` the proposal is not approved. */
  RefundProposed: event(['approval'], {
    ...act,
    paymentId: z.string(),
    amount: money,
    reason,
    note: personal(z.string()).nullable(),
    expiresAt: instant,
  }),
  /** The refund is requested next. */
  RefundProposalApproved: event(['approval'], { ...act, amount: money }),
  RefundProposalDeclined: event(['approval'], { ...act, amount: money, why: personal(z.string()) }),
  /** By the administrator who proposed the refund. */
  RefundProposalWithdrawn: event(['approval'], { ...act, amount: money }),
  /** The approved refund was not requested: less was left of the payment by then. */
  RefundProposalFailed: event(['approval'], {
    requestId: z.string(),
    amount: money,
    why: z.string(),
  }),
} as const

export type RefundApprovalEvent = EventsOf<typeof refundApprovalEvents>
