import { z } from 'zod'
import { optional } from '../form-text.ts'
import { nameContracts } from '../name-contracts.ts'

/**
 * The decision about what one administrator proposed. Another administrator approves or declines,
 * and the one who proposed withdraws. `why` is needed to decline. It is for the product's history
 * only.
 */
export const decideProposalRequest = z
  .object({
    decision: z.enum(['approve', 'decline', 'withdraw'], 'Approve, decline or withdraw.'),
    why: optional('Reason', 500),
  })
  .refine(({ decision, why }) => decision !== 'decline' || why !== undefined, {
    path: ['why'],
    error: 'Enter the reason.',
  })

nameContracts({ DecideProposalRequest: decideProposalRequest })
