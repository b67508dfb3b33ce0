import type { z } from 'zod'
import {
  checkUserRequest,
  checkUserResponse,
  completeSignupRequest,
  completeSignupResponse,
  requestOtpRequest,
  requestOtpResponse,
  verifyOtpRequest,
  verifyOtpResponse,
} from '#contracts/auth'
import { isUserId, type UserId } from '#contracts/ids'
import { NewerEvent } from '#services/event-store/newer-event'
import { GateIsFull } from '#services/foundation/work-gate'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { inWords } from '#services/http/too-many-tries'
import { MailNotSent, type Mailer } from '#services/mail/mailer'
import { addressesOf, hasAddress } from './account-decider.ts'
import type { Accounts, OpenAccount } from './accounts.ts'
import { codeMail } from './code-mail.ts'
import { isSameProfile, profileDigest } from './profile-digest.ts'
import { profileFromForm } from './profile-from-form.ts'
import type { RecipientBudget } from './recipient-budget.ts'
import type { SessionQueries } from './session-routes.ts'
import type { CodeProof, SignInCodeStore } from './sign-in-code-store.ts'
import { codeRules } from './sign-in-code.ts'

export interface AuthParts {
  readonly accounts: Accounts
  readonly queries: SessionQueries
  readonly codes: SignInCodeStore
  readonly mailer: Mailer
  readonly limits: Limits
  readonly recipients: RecipientBudget
  /** The page with the mails of a simulated mail server. Null if the mail server is real. */
  readonly inboxUrl: string | null
}

/** The routes of the sign-in: e-mail, company profile, code. */
export function authRoutes(parts: AuthParts): Routes {
  const { accounts, queries, codes, mailer, limits, recipients, inboxUrl } = parts
  const asCustomer = (context: RequestContext, userId: string) =>
    commandContext(context, { kind: 'customer', id: userId })
  const asVisitor = (context: RequestContext) =>
    commandContext(context, { kind: 'customer', id: 'visitor' })

  return (route) => {
    route({
      method: 'post',
      path: '/api/auth/check-user',
      appends: 'new address',
      work: 'sign-in',
      summary: 'Find or open an account by e-mail',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: checkUserRequest,
      answer: checkUserResponse,
      alsoAnswers: [409, 429],
      async handle({ body }, context) {
        await limits.checkUser.spend(context.network)
        const { account, position } = await accounts.findOrOpen(body.email, asVisitor(context))
        context.customer.remember(position)
        // The owner of a verified account completes the profile after the code.
        return { isNewUser: account.profile === null && !account.isVerified }
      },
    })

    route({
      method: 'post',
      path: '/api/auth/complete-signup',
      appends: 'sign-up',
      work: 'sign-in',
      summary: 'Save the company profile',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: completeSignupRequest,
      answer: completeSignupResponse,
      alsoAnswers: [409, 429],
      async handle({ body }, context) {
        await limits.signUp.spend(context.network)
        const { email, profile_version: basedOn = 'any', ...form } = body
        const { account } = await accounts.findOrOpen(email, asVisitor(context))
        const isOwner = context.customer.userId === account.userId
        const profile = profileFromForm(form)
        const isKnown = account.profile !== null && isSameProfile(account.profile, profile)
        if (isOwner) await limits.customerChange.spend(account.userId)
        else if (!account.isVerified && !isKnown) await limits.signUpOfAccount.spend(account.userId)
        const saved = await accounts.completeProfile(
          account.userId,
          profile,
          { isOwner, basedOn },
          isOwner ? asCustomer(context, account.userId) : asVisitor(context),
        )
        if (saved.kind === 'changed-meanwhile') throw completedMeanwhile()
        if (saved.kind === 'not-owner') {
          throw new HttpError(409, {
            error: 'This e-mail already has an account. Log in with a code to change its profile.',
            field: 'email',
            reason: 'already has an account',
          })
        }
        context.customer.noteSavedProfile(profileDigest(profile))
        context.customer.remember(saved.position)
        return { userId: account.userId, isVerified: isOwner }
      },
    })

    route({
      method: 'post',
      path: '/api/auth/request-otp',
      appends: 'code',
      work: 'sign-in',
      summary: 'Send a sign-in code',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: requestOtpRequest,
      answer: requestOtpResponse,
      alsoAnswers: [404, 429, 502],
      async handle({ body }, context) {
        await limits.requestCode.spend(context.network)
        const userId = await accounts.ownerOf(body.email)
        const account = userId === null ? null : await accounts.find(userId)
        if (account === null || !hasAddress(account, body.email)) {
          throw new HttpError(404, {
            error: 'There is no account for this e-mail yet. Enter it again to sign up.',
            field: 'email',
            reason: 'has no account',
          })
        }
        const sent = await sendCode(account, body.email, context)
        if (inboxUrl === null) return sent
        return { ...sent, inboxUrl: `${inboxUrl}?to=${encodeURIComponent(body.email)}` }
      },
    })

    route({
      method: 'post',
      path: '/api/auth/verify-otp',
      appends: 'code entered',
      work: 'sign-in',
      summary: 'Sign in with a code',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: verifyOtpRequest,
      answer: verifyOtpResponse,
      alsoAnswers: [429],
      async handle({ body }, context) {
        // Before the try: a code is not used up for a sign-in that ends with 503.
        await queries.ready(context)
        const counts = await spendTry(body.userId, context)
        const signedIn = await signInOf(body, context).catch(async (error: unknown) => {
          if (error instanceof GateIsFull || error instanceof NewerEvent) await refund(counts)
          throw error
        })
        await refund(counts)
        const { account, email, proof } = signedIn
        if (proof === null) {
          const repeated = await answerTo(account.userId, account.profile !== null)
          context.customer.completeSignIn()
          return repeated
        }
        const recorded = await accounts.signIn(
          account.userId,
          email,
          context.customer.savedProfile,
          // A code signs in once, so a repeat is the same sign-in.
          { ...asCustomer(context, account.userId), commandId: `sign-in with ${proof.salt}` },
        )
        if (recorded === null) throw invalidCode()
        // Everything that can fail comes before the session: the answer follows it at once.
        const answer = await answerTo(account.userId, recorded.hasProfile)
        context.customer.remember(recorded.position)
        await recipients.noteSignIn(email, context.network)
        const isFirst = await context.customer.signIn(
          account.userId,
          { addressHmac: accounts.hmacOf(email), signInCode: proof },
          (tx) => codes.use(tx, account.userId, proof),
        )
        if (!isFirst) throw invalidCode()
        context.log.info({ userId: account.userId }, 'A customer signed in.')
        return answer
      },
    })
  }

  /**
   * The account and the address of a right code. `proof` is null for the repeat of a sign-in whose
   * session was stored while the answer was lost: the caller is signed in.
   */
  async function signInOf(
    { userId, otp }: z.output<typeof verifyOtpRequest>,
    context: RequestContext,
  ): Promise<Matched | { account: OpenAccount; email: string; proof: null }> {
    const { signInCode, userId: caller } = context.customer
    if (caller === userId && signInCode !== null && (await codes.isCodeOf(otp, signInCode))) {
      const account = await accounts.find(caller)
      if (account !== null) return { account, email: account.email, proof: null }
    }
    return accountByCode(userId, otp, context)
  }

  async function answerTo(
    userId: UserId,
    hasProfile: boolean,
  ): Promise<z.input<typeof verifyOtpResponse>> {
    const user = await queries.user(userId)
    return {
      isVerified: true,
      // An account that the read model does not have yet is new and has not paid.
      isCustomer: typeof user === 'object' && user.isCustomer,
      needsProfileUpdate: !hasProfile,
    }
  }

  /**
   * Counts a try before the code is compared. Returns what it counted.
   *
   * The browser that requested the code has its own count, so that nobody else can use it up. All
   * other browsers count by network, by account and network, and by account.
   * @throws HttpError 429
   */
  async function spendTry(
    userId: string,
    { customer: { browser }, network }: RequestContext,
  ): Promise<readonly SpentTry[]> {
    const counts: readonly SpentTry[] =
      browser !== null && (await codes.isRequester(userId, browser))
        ? [[limits.tryCodeByBrowser, browser]]
        : [
            [limits.tryCodeByNetwork, network],
            [limits.tryCodeByAccount, `${userId} ${network}`],
            [limits.tryCodeByOthers, userId],
          ]
    for (const [limit, key] of counts) await limit.spend(key)
    return counts
  }

  async function refund(counts: readonly SpentTry[]): Promise<void> {
    for (const [limit, key] of counts) await limit.refund(key)
  }

  /**
   * The request waits for the mail server, so that a failure is answered with 'Failed to send OTP'.
   */
  async function sendCode(
    account: OpenAccount,
    email: string,
    context: RequestContext,
  ): Promise<z.input<typeof requestOtpResponse>> {
    const issued = await accounts.hold(() =>
      codes.issue(account.userId, accounts.hmacOf(email), context.customer.mark(), context.network),
    )
    switch (issued.kind) {
      case 'too-many':
        throw new HttpError(429, 'Maximum resend attempts reached. Please try again later.', {
          retryAfterSeconds: seconds(issued.waitMs),
        })
      case 'too-soon':
        throw new HttpError(
          429,
          `Please wait ${inWords(seconds(issued.waitMs))} before you request another code.`,
          { retryAfterSeconds: seconds(issued.waitMs) },
        )
      case 'already-sent':
        if (issued.unfinished !== null)
          await noteRequest(account, email, issued.resends, issued.unfinished, context)
        return {
          userId: account.userId,
          resendsLeft: codeRules.maxResends - issued.resends,
          resendAfterSeconds: seconds(issued.waitMs),
        }
      case 'send': {
        const giveBack = await recipients
          .spendCode(account, email, context.network)
          .catch(async (error: unknown) => {
            await issued.undo()
            throw error
          })
        try {
          await mailer.send(await codeMail(email, issued.code))
          issued.mailed()
        } catch (error) {
          await issued.undo()
          await giveBack()
          if (!(error instanceof MailNotSent)) throw error
          throw new HttpError(502, 'Failed to send OTP', { retryAfterSeconds: 5, cause: error })
        }
        await noteRequest(account, email, issued.resends, issued, context)
        return {
          userId: account.userId,
          resendsLeft: codeRules.maxResends - issued.resends,
          resendAfterSeconds: codeRules.resendAfterMs / 1000,
        }
      }
    }
  }

  /** Records the request of a code once, however often the request is repeated. */
  async function noteRequest(
    { userId }: OpenAccount,
    email: string,
    resend: number,
    { codeId, complete }: { readonly codeId: string; readonly complete: () => Promise<void> },
    context: RequestContext,
  ): Promise<void> {
    await accounts.noteSignIn(
      userId,
      { type: 'CodeRequested', data: { email, resend } },
      { ...asCustomer(context, userId), commandId: `request of ${codeId}` },
    )
    await complete()
  }

  async function accountByCode(
    userId: string,
    otp: string,
    context: RequestContext,
  ): Promise<Matched> {
    // Before the code: a code is not used up if the account cannot be read.
    const account = isUserId(userId) ? await accounts.find(userId) : null
    const tried = await codes.tryCode(userId, otp, context.customer.browser)
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
      asCustomer(context, account.userId),
    )
    throw new HttpError(400, {
      error: refusalTexts[reason],
      field: 'otp',
      reason: refusalTexts[reason],
    })
  }
}

interface Matched {
  readonly account: OpenAccount
  readonly email: string
  readonly proof: CodeProof
}

/** A limit and the key that was counted. */
type SpentTry = readonly [Limits['tryCodeByAccount'], string]

const refusalTexts = {
  wrong: 'Invalid OTP',
  expired: 'This code has expired. Request a new code.',
  'too-many-tries': 'This code was tried too often. Request a new code.',
} as const

function completedMeanwhile(): HttpError {
  return new HttpError(
    409,
    'Your profile was completed in another window. Close this form, and change the profile on the page Profile.',
  )
}

function invalidCode(): HttpError {
  return new HttpError(400, { error: 'Invalid OTP', field: 'otp', reason: 'Invalid OTP' })
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
