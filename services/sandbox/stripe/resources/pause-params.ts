import { z } from 'zod'
import type { Subscription } from '../../store/stripe-objects.ts'
import { invalid } from '../errors.ts'
import { emptyable, integer } from '../params.ts'

export const pauseParams = emptyable(
  z.strictObject({
    behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']),
    resumes_at: integer.optional(),
  }),
)

/** The pause after an update; `''` ends it. @throws StripeRefusal */
export function pauseOf(
  { pause_collection: before }: Subscription,
  given: z.infer<typeof pauseParams> | undefined,
  now: number,
): Subscription['pause_collection'] {
  if (given === undefined) return before
  if (given === '') return null
  const { behavior, resumes_at = null } = given
  if (resumes_at !== null && resumes_at <= now)
    throw invalid('pause_collection[resumes_at] must be in the future.', {
      param: 'pause_collection[resumes_at]',
    })
  return { behavior, resumes_at }
}
