import { maxResends, resendAfterSeconds } from '#contracts/auth'
import { codeLength } from '#contracts/sign-in-code'
import { clockToleranceMs } from '#services/foundation/clock'

/*
 * The rules of sign-in codes: when a code may be sent, and which code a try is compared with. The
 * functions are pure. All times are milliseconds of the security clock. Source of the limits:
 * docs/security.md.
 */

export const codeRules = {
  digits: codeLength,
  lifetimeMs: 10 * 60_000,
  /** Of the requester of the code, and of all others together. */
  maxTries: 5,
  resendAfterMs: resendAfterSeconds * 1_000,
  maxResends,
  resendWindowMs: 15 * 60_000,
  /** After this time, a mail that another process sent without an outcome has failed. */
  mailMs: 15_000,
  /**
   * The most codes of an account in an hour from all networks together: of the first codes of a
   * network, of the second codes, and of all later codes. A network with few codes thus keeps its
   * turn beside networks with many. Of the later codes a network gets another one while it has
   * fewer than are left: one network leaves half of them to others, and three networks leave one.
   * The sum limits how many codes can be guessed.
   */
  maxPerHour: [40, 20, 10],
} as const

const hourMs = 60 * 60_000

/**
 * What became of the mail with a code. `sending`: this process sends it. `failed`: the request
 * ended with 503 before the mail was sent. `unknown`: another process issued the code and has not
 * said yet what became of the mail.
 */
export type MailOfCode = 'sent' | 'sending' | 'failed' | 'unknown'

/** A code of an account, as the table stores it, seen by one caller. */
export interface IssuedCode {
  readonly codeId: string
  readonly addressHmac: string
  readonly sentAt: number
  readonly expiresAt: number
  /** The tries of the requester. */
  readonly tries: number
  readonly otherTries: number
  readonly mail: MailOfCode
  /** Which code of its network within the hour it was: 1, 2 and so on. */
  readonly turn: number
  /**
   * The caller requested it: with the mark of the same browser or, if neither the request nor the
   * caller has a mark, in the same network.
   */
  readonly isOwn: boolean
  /** It was requested in the caller's network. */
  readonly isSameNetwork: boolean
}

export type SendDecision =
  /** `resends`: of the caller's network within 15 minutes. `turn`: see `IssuedCode`. */
  | { readonly kind: 'send'; readonly resends: number; readonly turn: number }
  /**
   * A valid code was sent to this address. It is the caller's own and less than a minute old, or
   * the account has no more codes in this hour. No code is sent, and the countdown continues.
   */
  | {
      readonly kind: 'already-sent'
      readonly codeId: string
      readonly resends: number
      readonly waitMs: number
    }
  | { readonly kind: 'too-soon'; readonly waitMs: number }
  | { readonly kind: 'too-many'; readonly waitMs: number }

/**
 * Decides whether a code may be sent now. `issued` has the account's codes. Every requester has a
 * separate code, so strangers neither replace the code of the account's owner nor delay it. Every
 * network has separate resends. After the clock was set back, a code can be sent at once: the wait
 * would take as long as the clock was ahead.
 */
export function decideSend(
  issued: readonly IssuedCode[],
  addressHmac: string,
  now: number,
): SendDecision {
  const known = issued.filter((each) => !isFromFuture(each, now))
  // A code that nobody received costs no resend and no wait.
  const received = known.filter((each) => !hasFailed(each, now))
  const ofNetwork = received.filter(
    ({ isSameNetwork, sentAt }) => isSameNetwork && now - sentAt < codeRules.resendWindowMs,
  )
  const own = latest(received.filter(({ isOwn }) => isOwn))
  const waitMs = own === null ? 0 : own.sentAt + pauseMs(own) - now
  if (own !== null && waitMs > 0) {
    const resends = Math.max(0, ofNetwork.length - 1)
    if (own.tries < codeRules.maxTries && own.addressHmac === addressHmac)
      return { kind: 'already-sent', codeId: own.codeId, resends, waitMs }
    if (own.isSameNetwork) return { kind: 'too-soon', waitMs }
  }
  if (ofNetwork.length > codeRules.maxResends)
    return { kind: 'too-many', waitMs: firstOf(ofNetwork) + codeRules.resendWindowMs - now }
  return withinHour(known, received, addressHmac, { resends: ofNetwork.length, now })
}

/**
 * All codes count, also those whose mail failed. Beyond the limit the caller shares the newest code
 * in the mailbox: its owner reads it there.
 */
function withinHour(
  known: readonly IssuedCode[],
  received: readonly IssuedCode[],
  addressHmac: string,
  { resends, now }: { readonly resends: number; readonly now: number },
): SendDecision {
  const ofHour = known.filter(({ sentAt }) => now - sentAt < hourMs)
  const turn = ofHour.filter(({ isSameNetwork }) => isSameNetwork).length + 1
  const ofTurn = ofHour.filter((each) => levelOf(each.turn) === levelOf(turn))
  const max = codeRules.maxPerHour[levelOf(turn)] ?? 0
  if (isLeft(ofTurn, max)) return { kind: 'send', resends, turn }
  const newest = latest(
    received.filter(
      (each) =>
        each.addressHmac === addressHmac &&
        now < each.expiresAt &&
        each.otherTries < codeRules.maxTries,
    ),
  )
  return newest === null
    ? { kind: 'too-many', waitMs: leftAt(ofTurn, max) - now }
    : { kind: 'already-sent', codeId: newest.codeId, resends, waitMs: codeRules.resendAfterMs }
}

/** Whether the caller's network has fewer of `issued` than are left of `max`. */
function isLeft(issued: readonly IssuedCode[], max: number): boolean {
  const own = issued.filter(({ isSameNetwork }) => isSameNetwork).length
  return own < max - issued.length
}

/** When so many of `issued` are an hour old that the caller's network gets another one. */
function leftAt(issued: readonly IssuedCode[], max: number): number {
  const after = (at: number) => issued.filter(({ sentAt }) => sentAt > at)
  return firstOf(issued.filter(({ sentAt }) => isLeft(after(sentAt), max))) + hourMs
}

function levelOf(turn: number): number {
  return Math.min(turn, codeRules.maxPerHour.length) - 1
}

function pauseMs({ mail }: IssuedCode): number {
  return mail === 'unknown' ? codeRules.mailMs : codeRules.resendAfterMs
}

function hasFailed({ mail, sentAt }: IssuedCode, now: number): boolean {
  return mail === 'failed' || (mail === 'unknown' && now - sentAt >= codeRules.mailMs)
}

/**
 * The caller's own code that no mail has, because an outage ended its request. A new code takes its
 * place, and it counts no more than a code whose mail was refused. An expired one stays: its mail
 * may have been sent without a record.
 */
export function isAbandoned(issued: IssuedCode, now: number): boolean {
  return issued.isOwn && issued.mail === 'failed' && !isExpired(issued, now)
}

export type TryOutcome = 'matches' | 'wrong' | 'expired' | 'too-many-tries'

/** Whose tries of the code a try counts. */
export type TriedAs = 'requester' | 'other'

export type TryDecision =
  /** The try counts, and the code is compared. */
  | { readonly kind: 'compare'; readonly codeId: string; readonly as: TriedAs }
  /** `codeId`: the code that would have been compared. */
  | {
      readonly kind: Exclude<TryOutcome, 'matches'>
      readonly codeId: string | null
    }

/**
 * Decides which code a try is compared with: the newest code that the caller requested or, without
 * a valid one, the newest code of the account, whose tries all others share. Others cannot use up
 * the tries of the requester. A code from the future is expired: otherwise it would be valid for as
 * long as the clock was ahead.
 */
export function decideTry(issued: readonly IssuedCode[], now: number): TryDecision {
  const own = latestOf(
    issued.filter(({ isOwn }) => isOwn),
    now,
  )
  if (own !== null && !isExpired(own, now)) return tryOf(own, 'requester', own.tries)
  const newest = latestOf(issued, now)
  if (newest === null) return { kind: 'wrong', codeId: null }
  if (isExpired(newest, now)) return { kind: 'expired', codeId: newest.codeId }
  return tryOf(newest, 'other', newest.otherTries)
}

function tryOf({ codeId }: IssuedCode, as: TriedAs, tries: number): TryDecision {
  return tries < codeRules.maxTries
    ? { kind: 'compare', codeId, as }
    : { kind: 'too-many-tries', codeId }
}

export function isExpired(issued: IssuedCode, now: number): boolean {
  return now >= issued.expiresAt || isFromFuture(issued, now)
}

function isFromFuture({ sentAt }: Pick<IssuedCode, 'sentAt'>, now: number): boolean {
  return sentAt - now > clockToleranceMs
}

/** A code from the future only if there is no other: it is newer than each that follows. */
function latestOf(issued: readonly IssuedCode[], now: number): IssuedCode | null {
  return latest(issued.filter((each) => !isFromFuture(each, now))) ?? latest(issued)
}

function latest(issued: readonly IssuedCode[]): IssuedCode | null {
  return issued.reduce<IssuedCode | null>(
    (newest, each) => (newest === null || each.sentAt >= newest.sentAt ? each : newest),
    null,
  )
}

function firstOf(issued: readonly IssuedCode[]): number {
  return Math.min(...issued.map(({ sentAt }) => sentAt))
}
