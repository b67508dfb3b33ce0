import { isUserId } from '#contracts/ids'
import { commandContext } from '#services/http/command-context'
import { countTry, type Count } from '#services/http/counted-tries'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { addressesOf } from './account-decider.ts'
import type { Accounts, OpenAccount } from './accounts.ts'
import type { CodeProof, SignInCodeStore } from './sign-in-code-store.ts'

/**
 * The account and the address of a right code. `proof` is null for the repeat of a sign-in whose
 * session was stored while the answer was lost: the caller is signed in.
 */
interface MatchedCode {
  readonly account: OpenAccount
  readonly email: string
  readonly proof: CodeProof | null
}

/** @throws HttpError 400 if the code does not sign in, 429 after too many tries. GateIsFull */
export type MatchCode = (
  entered: { readonly userId: string; readonly otp: string },
  context: RequestContext,
) => Promise<MatchedCode>

export function createMatchCode({
  accounts,
  codes,
  limits,
}: {
  readonly accounts: Accounts
  readonly codes: SignInCodeStore
  readonly limits: Limits
}): MatchCode {
  return async ({ userId, otp }, context) =>
    countTry(await countsOf(userId, context), async () => {
      const { signInCode, userId: caller } = context.customer
      if (caller === userId && signInCode !== null && (await codes.isCodeOf(otp, signInCode))) {
        const account = await accounts.find(caller)
        if (account !== null) return { account, email: account.email, proof: null }
      }
      return accountByCode(userId, otp, context)
    })

  /**
   * The requester of the code has separate counts, so that others cannot use them up. All others
   * count by network, by account and network, and by account.
   */
  async function countsOf(userId: string, context: RequestContext): Promise<readonly Count[]> {
    const { browser, network } = callerOf(context)
    const ofNetwork: readonly Count[] = [
      [limits.tryCodeByNetwork, network],
      [limits.tryCodeByAccount, `${userId} ${network}`],
    ]
    if (!(await codes.isRequester(userId, { browser, network })))
      return [...ofNetwork, [limits.tryCodeByOthers, userId]]
    return browser === null ? ofNetwork : [[limits.tryCodeByBrowser, browser]]
  }

  async function accountByCode(
    userId: string,
    otp: string,
    context: RequestContext,
  ): Promise<MatchedCode> {
    // Before the code: a code is not used up if the account cannot be read.
    const account = isUserId(userId) ? await accounts.find(userId) : null
    const tried = await codes.tryCode(userId, otp, callerOf(context))
    // An unknown user id gets the same answer as a wrong code, so that the answer does not reveal
    // which ids exist.
    if (account === null) throw invalidCode()
    // The code was mailed to one address. It signs in only while the account has this address.
    const email = addressesOf(account).find((each) =>
      accounts.hmacsOf(each).some((hmac) => hmac === tried.addressHmac),
    )
    if (tried.outcome === 'matches' && email !== undefined)
      return { account, email, proof: tried.proof }
    const reason = tried.outcome === 'matches' ? 'wrong' : tried.outcome
    context.log.warn({ userId, reason }, 'A sign-in code was refused.')
    await accounts.noteSignIn(
      account.userId,
      { type: 'CodeRefused', data: { reason } },
      commandContext(context, { kind: 'customer', id: account.userId }),
    )
    throw refusedCode(refusalTexts[reason])
  }
}

function callerOf({ customer: { browser }, network }: RequestContext) {
  return { browser, network }
}

const refusalTexts = {
  wrong: 'Invalid OTP',
  expired: 'This code has expired. Request a new code.',
  'too-many-tries': 'This code was tried too often. Request a new code.',
} as const

export function invalidCode(): HttpError {
  return refusedCode(refusalTexts.wrong)
}

function refusedCode(reason: string): HttpError {
  return new HttpError(400, { error: reason, field: 'otp', reason })
}
