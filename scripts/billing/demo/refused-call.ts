import Stripe from 'stripe'

/** The product, the sandbox or the provider's API refused a call of the demo. */
export class RefusedCall extends Error {
  readonly status: number
  /** `answer` is the text of the answer, if it says why. */
  constructor(call: string, status: number, answer?: string) {
    super(`${call} answered ${status}${answer === undefined ? '.' : `: ${answer}`}`)
    this.status = status
  }
}

/**
 * Whether the state of the customer refused the call, such as a block or an ended session. Other
 * people can cause that in a product that they use during the demo. A rate limit (429) and a
 * failure (5xx) are no such refusals.
 */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status !== null && status >= 400 && status < 500 && status !== 429
}

function statusOf(error: unknown): number | null {
  if (error instanceof RefusedCall) return error.status
  if (error instanceof Stripe.errors.StripeError) return error.statusCode ?? null
  return null
}
