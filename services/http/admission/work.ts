import type { GateLimits } from '#services/foundation/work-gate'

/**
 * The classes of requests. Each has separate places, so that many requests of one class leave the
 * others their places.
 */
export const workNames = [
  'sign-in',
  'checkout',
  'customer',
  'admin',
  'reports',
  'exports',
  'webhooks',
] as const

export type Work = (typeof workNames)[number]

export interface WorkLimits extends GateLimits {
  readonly longestWaitMs: number
  /** When a client that was refused may try again. */
  readonly retryAfterSeconds: number
  /** What a person who was refused reads. */
  readonly sentence: string
}

/** The connections to PostgreSQL of this process, as `openStorage` opens them. */
export interface RequestConnections {
  /** For short statements. */
  readonly requests: number
  /** For lists, history, reports and exports. */
  readonly reading: number
}

const busy =
  'The service is very busy at the moment. No change was saved. Please try again in a few seconds.'

/**
 * The limits of each class. A request holds a connection for a part of its time, so a class may
 * have more places than connections. An export holds its connection until the client has the file.
 */
export function workLimits({
  requests,
  reading,
}: RequestConnections): Readonly<Record<Work, WorkLimits>> {
  return {
    // Waits for the mail server and for slow hashes, of which two run at once (`slow-hash.ts`).
    'sign-in': {
      atOnce: Math.ceil(requests / 2),
      waiting: 4 * requests,
      longestWaitMs: 3_000,
      retryAfterSeconds: 5,
      sentence: 'Too many people are signing in at the moment. Please try again in a few seconds.',
    },
    // Waits for the payment provider.
    checkout: {
      atOnce: requests,
      waiting: 2 * requests,
      longestWaitMs: 3_000,
      retryAfterSeconds: 5,
      // True also of a synchronization after a payment.
      sentence:
        'Too many payments are in progress at the moment. Nothing was charged by this request. Please try again in a few seconds.',
    },
    customer: {
      atOnce: requests,
      waiting: 8 * requests,
      longestWaitMs: 2_000,
      retryAfterSeconds: 2,
      sentence: busy,
    },
    // Half of the connections: reports and exports use the others.
    admin: {
      atOnce: Math.ceil(reading / 2),
      waiting: 4 * reading,
      longestWaitMs: 3_000,
      retryAfterSeconds: 3,
      sentence: busy,
    },
    // A report that is computed from the log waits for its turn (`gated-reader.ts`).
    reports: {
      atOnce: 2 * reading,
      waiting: 2 * reading,
      longestWaitMs: 10_000,
      retryAfterSeconds: 10,
      sentence: 'Too many reports are being read at the moment. Please try again in a few seconds.',
    },
    exports: {
      atOnce: Math.floor(reading / 2),
      waiting: 3,
      longestWaitMs: 2_000,
      retryAfterSeconds: 10,
      sentence: 'Other exports are in progress. Please wait until they are complete and try again.',
    },
    // The provider delivers a refused webhook again, hours later if it must.
    webhooks: {
      atOnce: Math.ceil(requests / 2),
      waiting: 8 * requests,
      longestWaitMs: 5_000,
      retryAfterSeconds: 30,
      sentence: 'Too many webhooks are being processed. Deliver this webhook again later.',
    },
  }
}
