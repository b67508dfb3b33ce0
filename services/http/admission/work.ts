import type { FairLimits } from './fair-gate.ts'

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
  'downloads',
  'imports',
  'client-portal',
  'webhooks',
] as const

export type Work = (typeof workNames)[number]

/** The largest body of a request of the class, in bytes. */
export function maxBodyBytes(work: Work): number {
  switch (work) {
    case 'imports':
      return 1_024 * 1_024
    case 'webhooks':
      return 256 * 1_024
    default:
      return 64 * 1_024
  }
}

export interface WorkLimits extends FairLimits {
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

/**
 * The connections for requests: a third of them is for what reads many rows.
 * @param config the setting REQUEST_CONNECTIONS
 */
export function requestConnectionsOf({
  requestConnections: all,
}: {
  readonly requestConnections: number
}): RequestConnections {
  const reading = Math.ceil(all / 3)
  return { requests: all - reading, reading }
}

const busy =
  'The service is very busy at the moment. No change was saved. Please try again in a few seconds.'

/**
 * A client, by its network and by its session, has at most half of the places of a class, so that
 * one client never takes all of them.
 */
function withShare(limits: Omit<WorkLimits, 'share'>): WorkLimits {
  return {
    ...limits,
    share: { atOnce: Math.ceil(limits.atOnce / 2), waiting: Math.ceil(limits.waiting / 2) },
  }
}

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
    'sign-in': withShare({
      atOnce: Math.ceil(requests / 2),
      waiting: 4 * requests,
      longestWaitMs: 3_000,
      retryAfterSeconds: 5,
      sentence: 'Too many people are signing in at the moment. Please try again in a few seconds.',
    }),
    // Waits for the payment provider.
    checkout: withShare({
      atOnce: requests,
      waiting: 2 * requests,
      longestWaitMs: 3_000,
      retryAfterSeconds: 5,
      // True also of a synchronization after a payment.
      sentence:
        'Too many payments are in progress at the moment. Nothing was charged by this request. Please try again in a few seconds.',
    }),
    customer: withShare({
      atOnce: requests,
      waiting: 8 * requests,
      longestWaitMs: 2_000,
      retryAfterSeconds: 2,
      sentence: busy,
    }),
    // Half of the connections: reports and exports use the others.
    admin: withShare({
      atOnce: Math.ceil(reading / 2),
      waiting: 4 * reading,
      longestWaitMs: 3_000,
      retryAfterSeconds: 3,
      sentence: busy,
    }),
    // A report that is computed from the log waits for its turn (`gated-reader.ts`).
    reports: withShare({
      atOnce: 2 * reading,
      waiting: 2 * reading,
      longestWaitMs: 10_000,
      retryAfterSeconds: 10,
      sentence: 'Too many reports are being read at the moment. Please try again in a few seconds.',
    }),
    exports: withShare({
      atOnce: Math.floor(reading / 2),
      waiting: 3,
      longestWaitMs: 2_000,
      retryAfterSeconds: 10,
      sentence: 'Other exports are in progress. Please wait until they are complete and try again.',
    }),
    // Customers' own data and receipts. They use none of the connections of exports.
    downloads: withShare({
      atOnce: Math.ceil(requests / 4),
      waiting: 2 * requests,
      longestWaitMs: 5_000,
      retryAfterSeconds: 5,
      sentence:
        'Other downloads are in progress. Please wait until they are complete and try again.',
    }),
    // Rows of a file, 500 at most: each row is a stream. They are the only calls with a large body.
    imports: withShare({
      atOnce: Math.ceil(requests / 2),
      waiting: 2 * requests,
      longestWaitMs: 15_000,
      retryAfterSeconds: 5,
      sentence: 'Other imports are in progress. Please wait a few seconds and try again.',
    }),
    // The pages of merchants' clients. A message to many of them brings many at once.
    'client-portal': withShare({
      atOnce: Math.ceil(requests / 2),
      waiting: 8 * requests,
      longestWaitMs: 3_000,
      retryAfterSeconds: 3,
      sentence: busy,
    }),
    // The provider delivers a refused webhook again, hours later if it must. It sends bursts from
    // one network, so its share is the whole class. Others are served first, because it has more.
    webhooks: {
      atOnce: Math.ceil(requests / 2),
      waiting: 8 * requests,
      share: { atOnce: Math.ceil(requests / 2), waiting: 8 * requests },
      longestWaitMs: 5_000,
      retryAfterSeconds: 30,
      sentence: 'Too many webhooks are being processed. Deliver this webhook again later.',
    },
  }
}
