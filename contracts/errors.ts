import { z } from 'zod'
import { nameContracts } from './name-contracts.ts'

/**
 * The body of every error answer of the API. `error` is a sentence for the user. An invalid request
 * also has `field` and `reason`. `field` is the path of the field, such as `planDetails.id`; '' is
 * the whole body. `reason` completes the sentence about the field. A refused change of receivables
 * has a `code` of `contracts/receivables/refusals.ts`.
 */
export const errorBody = z.object({
  error: z.string(),
  field: z.string().optional(),
  reason: z.string().optional(),
  code: z.string().optional(),
})

export type ErrorBody = z.infer<typeof errorBody>

nameContracts({ Error: errorBody })
