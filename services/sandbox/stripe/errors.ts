import type Stripe from 'stripe'

export interface StripeErrorBody {
  readonly error: {
    readonly type: Stripe.RawErrorType
    readonly message: string
    readonly code?: string
    readonly decline_code?: string
    readonly param?: string
    readonly request_log_url?: string
  }
}

/** An error response in Stripe's form. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  readonly status: number
  readonly body: StripeErrorBody

  constructor(status: number, error: StripeErrorBody['error']) {
    super(error.message)
    this.status = status
    this.body = { error }
  }
}

export function invalid(
  message: string,
  details: { readonly code?: string; readonly param?: string } = {},
): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...details })
}

/** The object named in the path does not exist. */
export function missing(what: string, id: string): StripeRefusal {
  return new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: 'id',
  })
}

/** The object named by a parameter does not exist. */
export function missingReference(what: string, id: string, param: string): StripeRefusal {
  return invalid(`No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

/** The issuer declined the card, so the call changed nothing. */
export function cardError(decline: {
  readonly code: string
  readonly declineCode: string
  readonly message: string
}): StripeRefusal {
  return new StripeRefusal(402, {
    type: 'card_error',
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
  })
}

export const internalError: StripeErrorBody = {
  error: {
    type: 'api_error',
    message: 'An unknown error occurred. The sandbox log has the cause.',
  },
}
