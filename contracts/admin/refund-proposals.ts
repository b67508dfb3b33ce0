import { z } from 'zod'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { refundReasons } from '../refund-reasons.ts'
import { proposer } from './proposer.ts'

/** A refund that waits for a second administrator. `amount` is in decimal major units. */
const refundProposal = z.object({
  id: z.string(),
  user_id: z.string(),
  payment_id: z.string(),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  currency,
  amount: z.number(),
  reason: openEnum(refundReasons),
  note: z.string().nullable(),
  proposed_by: proposer,
  /** False if the one who proposed it was ended, or has a role without the right to refund now. */
  can_be_approved: z.boolean(),
  /** After this time of the business clock the refund must be proposed again. */
  expires_at: instant,
})

/** `GET /api/admin/refund-proposals`: what expires first comes first. */
export const refundProposalsResponse = z.object({ items: z.array(refundProposal) })

/**
 * `waiting`: the refund is approved, and the payment provider has not answered yet. The product
 * continues by itself. `message`: what happened, for the person who decided.
 */
export const refundDecided = z.object({
  id: z.string(),
  status: z.enum(['refunded', 'waiting', 'declined', 'withdrawn']),
  message: z.string(),
})

export type RefundProposalItem = z.infer<typeof refundProposal>

nameContracts({
  RefundProposal: refundProposal,
  RefundProposals: refundProposalsResponse,
  RefundDecided: refundDecided,
})
