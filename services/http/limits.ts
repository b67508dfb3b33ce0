import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { maxDataDownloads } from '#contracts/account'
import { clockToleranceMs } from '#services/foundation/clock'
import type { Refused } from './admission/known-refusals.ts'
import { HttpError } from './http-error.ts'
import { tooManyTries } from './too-many-tries.ts'

/**
 * A rate limit. The count is in PostgreSQL, so that all API processes share it. Windows use real
 * time. A window never ends later than its length from now: if the clock was ahead and is right
 * again, the next refusal starts a new window.
 */
export interface Limit {
  /**
   * Counts one more for each of `keys`.
   * @throws HttpError 429 with Retry-After if the limit of one of them is exceeded
   */
  spend(...keys: readonly string[]): Promise<void>
  /** Gives one of each back: what was counted succeeded, or was not done. */
  refund(...keys: readonly string[]): Promise<void>
  /** Gives all back. */
  reset(key: string): Promise<void>
}

/** Counts one more for `key`. False, instead of a refusal, if the limit is exceeded. */
export async function isWithin(limit: Pick<Limit, 'spend'>, key: string): Promise<boolean> {
  try {
    await limit.spend(key)
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}

export interface Limits {
  readonly checkUser: Limit
  readonly requestCode: Limit
  readonly signUp: Limit
  /** By account that was never verified: each sign-up replaces its profile. */
  readonly signUpOfAccount: Limit
  /** By account: what its customer changes. Each change makes a stream longer. */
  readonly customerChange: Limit
  /** By merchant: what it changes of its clients and receivables. */
  readonly receivableChange: Limit
  /** By merchant: previews of a schedule. Each takes seconds of a processor at most. */
  readonly schedulePreview: Limit
  /** By merchant: checks of rows of a file, which store nothing. */
  readonly importCheck: Limit
  /** By merchant: messages as they would be sent, while their words are typed. */
  readonly messagePreview: Limit
  /** By merchant: parts of imports. An import of 20,000 rows has 40 at least. */
  readonly importRows: Limit
  /** By key of a merchant: calls of a program. */
  readonly programCall: Limit
  /** By network: pages of the client portal. */
  readonly portal: Limit
  /** By client: what it changes in its portal. Each change makes a stream longer. */
  readonly portalChange: Limit
  /** By client: payments that it begins in its portal. Each makes calls of the provider. */
  readonly portalPay: Limit
  /** By number: sentences that answer a text which no person reads. */
  readonly unreadText: Limit
  /** By account and network. */
  readonly tryCodeByAccount: Limit
  readonly tryCodeByNetwork: Limit
  /** By account: the tries of all browsers but the one that requested the code. */
  readonly tryCodeByOthers: Limit
  /** By the mark of the browser that requested the code. */
  readonly tryCodeByBrowser: Limit
  /** By network: wrong passwords and wrong codes of administrators. A sign-in resets it. */
  readonly adminLogin: Limit
  /**
   * By the HMAC of the address that was typed, whether or not an administrator has it: codes that
   * all networks request. A code that was not sent is given back, and a sign-in resets the count.
   */
  readonly adminCodeMails: Limit
  /** By the same key: wrong codes of all networks. A sign-in resets it. */
  readonly tryAdminCode: Limit
  /** By network: challenges for sign-ins with a passkey. Each is a row, and a session. */
  readonly passkeyChallenge: Limit
  /** By administrator: changes of the own passkeys. Each makes a stream longer. */
  readonly passkeyChange: Limit
  /** By account, or by `administratorKeys`. Each PDF takes processor time. */
  readonly receiptPdf: Limit
  /** By merchant, or by client in its portal. Each PDF takes processor time. */
  readonly statementPdf: Limit
  /** As `statementPdf`, of the receipts of clients' payments. */
  readonly paymentReceiptPdf: Limit
  /** By account. A download reads all streams of the account. */
  readonly dataDownload: Limit
  /** By `administratorKeys`. An export reads a whole list. */
  readonly listExport: Limit
  /** By network: enquiries that were sent with the contact form. */
  readonly enquiry: Limit
  /** By mailbox and network. Source of the three limits of mails: `recipient-budget.ts`. */
  readonly mailsFromNetwork: Limit
  /** By mailbox: mails that all networks cause. */
  readonly mailsToMailbox: Limit
  /** By domain: mails to addresses without an account. */
  readonly mailsToDomain: Limit
}

/* In seconds. */
const minute = 60
const day = 24 * 60 * minute
const tooManyMails = 'Too many mails went to this mailbox.'

export function createLimits(pool: pg.Pool): Limits {
  /** `refused`: which other requests of the same call are refused, if the key alone decides it. */
  const limit = (
    name: string,
    points: number,
    duration: number,
    refused?: Refused,
    sentence = 'Too many tries.',
  ): Limit => {
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
    const spendOne = async (key: string): Promise<void> => {
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
        throw tooMany(rejection, refused, sentence)
      }
    }
    return {
      async spend(...keys) {
        for (const key of keys) await spendOne(key)
      },
      async refund(...keys) {
        for (const key of keys) await limiter.reward(key)
      },
      async reset(key) {
        await limiter.delete(key)
      },
    }
  }
  return {
    checkUser: limit('check-user', 10, minute, 'network'),
    requestCode: limit('request-code', 30, 15 * minute, 'network'),
    signUp: limit('sign-up', 20, 15 * minute, 'network'),
    signUpOfAccount: limit(
      'sign-up-account',
      20,
      day,
      undefined,
      'Too many sign-ups with this address.',
    ),
    customerChange: limit('customer-change', 100, day, undefined, 'Too many changes today.'),
    receivableChange: limit('receivable-change', 5_000, day, undefined, 'Too many changes today.'),
    importCheck: limit('import-check', 600, 60 * minute),
    messagePreview: limit('message-preview', 1_200, 60 * minute),
    schedulePreview: limit('schedule-preview', 300, 60 * minute),
    importRows: limit('import-rows', 1_000, day, undefined, 'Too many imports today.'),
    programCall: limit('program-call', 60, minute, undefined, 'Too many calls with this key.'),
    portal: limit('portal', 120, minute, undefined, 'Too many pages.'),
    portalChange: limit('portal-change', 30, day, undefined, 'Too many changes today.'),
    portalPay: limit('portal-pay', 30, 60 * minute, undefined, 'Too many payments at once.'),
    unreadText: limit('unread-text', 1, day),
    tryCodeByAccount: limit('try-code-account', 10, 60 * minute),
    tryCodeByNetwork: limit('try-code-network', 60, 15 * minute, 'visitors of the network'),
    tryCodeByOthers: limit('try-code-others', 50, 60 * minute),
    tryCodeByBrowser: limit('try-code-browser', 10, 60 * minute),
    adminCodeMails: limit('admin-code-mails', 10, 60 * minute),
    tryAdminCode: limit('try-admin-code', 20, 60 * minute),
    adminLogin: limit('admin-login', 5, 15 * minute, 'network'),
    passkeyChallenge: limit('passkey-challenge', 30, 15 * minute, 'network'),
    passkeyChange: limit('passkey-change', 50, day, undefined, 'Too many changes today.'),
    receiptPdf: limit('receipt-pdf', 30, minute, 'session'),
    statementPdf: limit('statement-pdf', 20, minute, undefined, 'Too many statements.'),
    paymentReceiptPdf: limit('payment-receipt-pdf', 20, minute, undefined, 'Too many receipts.'),
    dataDownload: limit('data-download', maxDataDownloads, 60 * minute, 'session'),
    listExport: limit('list-export', 20, 5 * minute, 'session'),
    enquiry: limit('enquiry', 5, 15 * minute, 'network'),
    mailsFromNetwork: limit('mails-network', 5, 15 * minute, undefined, tooManyMails),
    mailsToMailbox: limit('mails-mailbox', 10, 15 * minute, undefined, tooManyMails),
    mailsToDomain: limit('mails-domain', 60, 15 * minute, undefined, tooManyMails),
  }
}

/**
 * The keys that count an administrator. A named administrator has one id. While no administrator is
 * named, every sign-in with the shared password has another id, so the network counts too: a new
 * sign-in there gives no new tries. Both keys are spent, and both are refunded.
 */
export function administratorKeys(caller: {
  readonly adminId: string
  readonly network: string
}): readonly string[] {
  return [caller.adminId, `administrators of ${caller.network}`]
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
function tooMany(rejection: unknown, refused: Refused | undefined, sentence: string): unknown {
  if (!(rejection instanceof RateLimiterRes)) return rejection
  const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000))
  return new HttpError(429, tooManyTries(seconds, sentence), {
    retryAfterSeconds: seconds,
    ...(refused !== undefined && { refused }),
  })
}
