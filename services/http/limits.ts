import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from './http-error.ts'

/** Counts in Postgres, so that every process of the API counts together. By real time. */
export interface Limit {
  /** Counts one more for `key`. Throws 429 with Retry-After once the limit is passed. */
  spend(key: string): Promise<void>
  /** Throws 429 when the limit is passed already; counts nothing. */
  check(key: string): Promise<void>
  reset(key: string): Promise<void>
}

export interface Limits {
  readonly checkUser: Limit
  readonly requestCode: Limit
  readonly signUp: Limit
  readonly tryCodeByAccount: Limit
  readonly tryCodeByAddress: Limit
  readonly adminLogin: Limit
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
    return {
      async spend(key) {
        try {
          await limiter.consume(key)
        } catch (rejection) {
          throw tooMany(rejection)
        }
      },
      async check(key) {
        const spent = await limiter.get(key)
        if (spent !== null && spent.consumedPoints >= points) throw tooMany(spent)
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
    tryCodeByAddress: limit('try-code-address', 60, 15 * minute),
    adminLogin: limit('admin-login', 5, 15 * minute),
  }
}

/** The limiter rejects with its result when the limit is passed, and with an Error when the database failed. */
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
