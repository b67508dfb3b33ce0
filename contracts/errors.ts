import { z } from 'zod'

/**
 * Every refusal and failure of the API: a sentence to show, and for a broken request the field
 * and the reason (`field` is a path such as `planDetails.id`; '' is the body as a whole).
 */
export const errorBody = z.object({
  error: z.string(),
  field: z.string().optional(),
  reason: z.string().optional(),
})

export type ErrorBody = z.infer<typeof errorBody>
