import { errorBody } from '#contracts/errors'
import type { Answer } from '../../support/product/client.ts'

/** What the product confirmed to one customer: the model that the end of a run is compared with. */
export interface Confirmed {
  readonly email: string
  /** Every id that an answer named. */
  readonly userIds: Set<string>
  isVerified: boolean
  /** The customer has a session that no answer ended. */
  isSignedIn: boolean
  /** The provider's page accepted a payment of the customer. */
  hasPaid: boolean
  /** The cities that the customer saved, in order. */
  readonly cities: { readonly city: string; isConfirmed: boolean }[]
  readonly enquiries: { readonly message: string; isConfirmed: boolean }[]
}

/** The counts of a run, and what no customer may see. */
export interface Tally {
  clicks: number
  refused: number
  /** Requests whose connection broke. */
  broken: number
  readonly problems: string[]
  /** Adds a problem and reports it at once. */
  readonly report: (problem: string) => void
}

/**
 * The longest time that a request may take, in milliseconds. A checkout calls the provider several
 * times, each for 30 s at most, and the machine may be busy.
 */
const limitMs = 60_000

/** Answers that a fault may cause, or that a rule of the product gives. */
const refusals = new Set([400, 401, 403, 404, 409, 410, 429, 502, 503])

/**
 * Sends a request. Resolves with null if the connection broke or the product refused. A refusal
 * without a sentence, an unexpected error (500), and a request without an end are problems.
 */
export async function ask(
  record: Tally,
  what: string,
  send: () => Promise<Answer>,
): Promise<Answer | null> {
  record.clicks += 1
  const hung = Symbol('hung')
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<typeof hung>((resolve) => {
    timer = setTimeout(resolve, limitMs, hung)
  })
  try {
    const answer = await Promise.race([send(), limit])
    if (answer === hung) {
      record.report(`${what} had no answer within ${limitMs / 1_000} s.`)
      return null
    }
    if (answer.status < 400) return answer
    record.refused += 1
    const { success, data } = errorBody.safeParse(answer.body)
    const isSentence = success && data.error.trim().length > 3
    if (!isSentence || !refusals.has(answer.status))
      record.report(`${what} was refused with ${answer.status} ${JSON.stringify(answer.body)}.`)
    return null
  } catch {
    record.broken += 1
    return null
  } finally {
    clearTimeout(timer)
  }
}
