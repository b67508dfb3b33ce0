import { maxResends, resendAfterSeconds } from '#contracts/auth'
import { codeLength } from '#contracts/sign-in-code'
import { clockToleranceMs } from '#services/foundation/clock'

/*
 * The rules of sign-in codes: when a code may be sent, and whether a code is accepted. The
 * functions are pure. All times are milliseconds of the security clock. Source of the limits:
 * docs/security.md.
 */

export const codeRules = {
  digits: codeLength,
  lifetimeMs: 10 * 60_000,
  /** Of the browser that requested the code, and of all other browsers together. */
  maxTries: 5,
  resendAfterMs: resendAfterSeconds * 1_000,
  maxResends,
  resendWindowMs: 15 * 60_000,
  /** After this time, a mail that another process sent without an outcome has failed. */
  mailMs: 15_000,
} as const

/**
 * What became of the mail with a code. `sending`: this process sends it. `failed`: the request
 * ended with 503 before the mail was sent. `unknown`: another process issued the code and has not
 * said yet what became of the mail.
 */
export type MailOfCode = 'sent' | 'sending' | 'failed' | 'unknown'

/** The outstanding code of an account, as the table stores it. */
export interface IssuedCode {
  readonly addressHmac: string
  readonly sentAt: number
  readonly expiresAt: number
  /** The tries of the browser that requested the code. */
  readonly tries: number
  readonly otherTries: number
  readonly mail: MailOfCode
  /** Of the network that requested the code. */
  readonly windowStartedAt: number
  readonly resends: number
}

/** Who requests a code. */
export interface CodeCaller {
  /** The browser that requested the outstanding code. */
  readonly isRequester: boolean
  /** In the network from which the outstanding code was requested. */
  readonly isSameNetwork: boolean
}

export type SendDecision =
  | { readonly kind: 'send'; readonly resends: number; readonly windowStartedAt: number }
  /**
   * A valid code was sent to this address less than a minute ago. No code is sent, and the
   * countdown continues.
   */
  | { readonly kind: 'already-sent'; readonly resends: number; readonly waitMs: number }
  | { readonly kind: 'too-soon'; readonly waitMs: number }
  | { readonly kind: 'too-many'; readonly waitMs: number }

/**
 * Decides whether a code may be sent now. `issued` is the account's row. It is null before the
 * first code and after a sign-in. A network has its own resends: strangers cannot use up those of
 * the account's owner, and a code that they made unusable delays no other network. After the clock
 * was set back, a code can be sent at once: the wait would take as long
 * as the clock was ahead.
 */
export function decideSend(
  issued: IssuedCode | null,
  addressHmac: string,
  { isRequester, isSameNetwork }: CodeCaller,
  now: number,
): SendDecision {
  const first = { kind: 'send', resends: 0, windowStartedAt: now } as const
  if (
    issued === null ||
    isFromFuture(issued, now) ||
    now - issued.windowStartedAt >= codeRules.resendWindowMs
  )
    return first
  // The code that nobody received costs no resend.
  if (hasFailed(issued, now)) {
    const { resends, windowStartedAt } = issued
    return isSameNetwork ? { kind: 'send', resends, windowStartedAt } : first
  }
  const pauseMs = issued.mail === 'unknown' ? codeRules.mailMs : codeRules.resendAfterMs
  const waitMs = issued.sentAt + pauseMs - now
  if (waitMs > 0) {
    const isUsable =
      triesOf(issued, isRequester) < codeRules.maxTries && issued.addressHmac === addressHmac
    if (isUsable)
      return { kind: 'already-sent', resends: isSameNetwork ? issued.resends : 0, waitMs }
    return isSameNetwork ? { kind: 'too-soon', waitMs } : first
  }
  if (!isSameNetwork) return first
  if (issued.resends >= codeRules.maxResends) {
    return { kind: 'too-many', waitMs: issued.windowStartedAt + codeRules.resendWindowMs - now }
  }
  return { kind: 'send', resends: issued.resends + 1, windowStartedAt: issued.windowStartedAt }
}

function hasFailed({ mail, sentAt }: IssuedCode, now: number): boolean {
  return mail === 'failed' || (mail === 'unknown' && now - sentAt >= codeRules.mailMs)
}

export type TryOutcome = 'matches' | 'wrong' | 'expired' | 'too-many-tries'

/** 'compare': the try counts, and the code is compared. */
export type TryDecision = 'compare' | Exclude<TryOutcome, 'matches'>

/**
 * Decides before the code is compared. `isRequester`: the try comes from the browser that requested
 * the code. Other browsers cannot use up its tries. A code from the future is expired: otherwise it
 * would be valid for as long as the clock was ahead.
 */
export function decideTry(
  issued: IssuedCode | null,
  isRequester: boolean,
  now: number,
): TryDecision {
  if (issued === null) return 'wrong'
  if (now >= issued.expiresAt || isFromFuture(issued, now)) return 'expired'
  if (triesOf(issued, isRequester) >= codeRules.maxTries) return 'too-many-tries'
  return 'compare'
}

function isFromFuture({ sentAt }: IssuedCode, now: number): boolean {
  return sentAt - now > clockToleranceMs
}

function triesOf({ tries, otherTries }: IssuedCode, isRequester: boolean): number {
  return isRequester ? tries : otherTries
}
