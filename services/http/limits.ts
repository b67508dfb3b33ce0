import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { maxDataDownloads } from '#contracts/account'
import { clockToleranceMs } from '#services/foundation/clock'
import { HttpError } from './http-error.ts'

/**
 * A rate limit. The count is in PostgreSQL, so that all API processes share it. Windows use real
 * time. A window never ends later than its length from now: if the clock was ahead and is right
 * again, the next refusal starts a new window.
 */
interface Limit {
  /**
   * Counts one more for `key`.
   * @throws HttpError 429 with Retry-After if the limit is exceeded
   */
  spend(key: string): Promise<void>
  /** Gives one back: what was counted succeeded, or was not done. */
  refund(key: string): Promise<void>
  /** Gives all back. */
  reset(key: string): Promise<void>
}

export interface Limits {
  readonly checkUser: Limit
  readonly requestCode: Limit
  readonly signUp: Limit
  /** By account and network. */
  readonly tryCodeByAccount: Limit
  readonly tryCodeByNetwork: Limit
  /** By account: the tries of all browsers but the one that requested the code. */
  readonly tryCodeByOthers: Limit
  /** By the mark of the browser that requested the code. */
  readonly tryCodeByBrowser: Limit
  readonly adminLogin: Limit
  /** By account, or by the administrator's sign-in. Each PDF takes processor time. */
  readonly receiptPdf: Limit
  /** By account. A download reads all streams of the account. */
  readonly dataDownload: Limit
  /** By the administrator's sign-in. An export reads a whole list. */
  readonly listExport: Limit
  /** By network: enquiries that were sent with the contact form. */
  readonly enquiry: Limit
}

const minute = 60

export function createLimits(pool: pg.Pool): Limits {
  const limit = (name: string, points: number, duration: number): Limit => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      schemaName: 'app',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: name,
      points,
      duration,
    })
    const longestMs = duration * 1_000 + clockToleranceMs
    return {
      async spend(key) {
        try {
          await limiter.consume(key).catch(async (rejection: unknown) => {
            if (!(rejection instanceof RateLimiterRes) || rejection.msBeforeNext <= longestMs)
              throw rejection
            // Concurrent refusals: a window that one of them started stays.
            await pool.query('DELETE FROM app.rate_limit WHERE key = $1 AND expire > $2', [
              limiter.getKey(key),
              Date.now() + longestMs,
            ])
            await limiter.consume(key)
          })
        } catch (rejection) {
          throw tooMany(rejection)
        }
      },
      async refund(key) {
        await limiter.reward(key)
      },
      async reset(key) {
        await limiter.delete(key)
      },
    }
  }
  return {
    checkUser: limit('check-user', 10, minute),
    requestCode: limit('request-code', 30, 15 * minute),
    signUp: limit('sign-up', 20, 15 * minute),
    tryCodeByAccount: limit('try-code-account', 10, 60 * minute),
    tryCodeByNetwork: limit('try-code-network', 60, 15 * minute),
    tryCodeByOthers: limit('try-code-others', 50, 60 * minute),
    tryCodeByBrowser: limit('try-code-browser', 10, 60 * minute),
    adminLogin: limit('admin-login', 5, 15 * minute),
    receiptPdf: limit('receipt-pdf', 30, minute),
    dataDownload: limit('data-download', maxDataDownloads, 60 * minute),
    listExport: limit('list-export', 20, 5 * minute),
    enquiry: limit('enquiry', 5, 15 * minute),
  }
}

/** The limits of a sign-up that count a network. */
const signUpLimits = ['check-user', 'sign-up', 'request-code', 'try-code-network'] as const

/** The networks of callers on this machine, as `clientNetwork` names 127.0.0.1 and ::1. */
export const loopbackNetworks: readonly string[] = ['127.0.0.1', '0:0:0:0::/64']

/**
 * The counts of the sign-ups from these networks, for the operator's command that signs up many
 * customers from one machine.
 */
export function createSignUpCounts(pool: pg.Pool, networks: readonly string[]) {
  const keysOf = (names: readonly string[]) =>
    names.flatMap((name) => networks.map((network) => `${name}:${network}`))
  return {
    async isCounted(name: (typeof signUpLimits)[number]): Promise<boolean> {
      const { rowCount } = await pool.query('SELECT FROM app.rate_limit WHERE key = ANY ($1)', [
        keysOf([name]),
      ])
      return (rowCount ?? 0) > 0
    },
    async forget(): Promise<void> {
      await pool.query('DELETE FROM app.rate_limit WHERE key = ANY ($1)', [keysOf(signUpLimits)])
    },
  }
}

/**
 * The limiter rejects with its result if the limit is exceeded, and with an Error if the database
 * fails.
 */
function tooMany(rejection: unknown): unknown {
  if (!(rejection instanceof RateLimiterRes)) return rejection
  const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000))
  return new HttpError(429, `Too many tries. Please wait ${inWords(seconds)} and try again.`, {
    retryAfterSeconds: seconds,
  })
}

export function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
