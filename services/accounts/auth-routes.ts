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
import type { UserId } from '#contracts/ids'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { Mailer } from '#services/mail/mailer'
import { hasAddress } from './account-decider.ts'
import type { Accounts } from './accounts.ts'
import { createMatchCode, invalidCode } from './match-code.ts'
import { isSameProfile, profileDigest } from './profile-digest.ts'
import { profileFromForm } from './profile-from-form.ts'
import type { RecipientBudget } from './recipient-budget.ts'
import type { ReturnTokens } from '#services/mail/return-addresses'
import { createSendCode } from './send-code.ts'
import type { SessionQueries } from './session-routes.ts'
import type { SignInCodeStore } from './sign-in-code-store.ts'

export interface AuthParts {
  readonly accounts: Accounts
  readonly queries: SessionQueries
  readonly codes: SignInCodeStore
  readonly mailer: Mailer
  readonly limits: Limits
  readonly recipients: RecipientBudget
  /** Name each mail in a report that it came back. */
  readonly returnTokens: Pick<ReturnTokens, 'tokenOf'>
  /** The page with the mails of a simulated mail server. Null if the mail server is real. */
  readonly inboxUrl: string | null
}

/** The routes of the sign-in: e-mail, company profile, code. */
export function authRoutes(parts: AuthParts): Routes {
  const { accounts, queries, codes, limits, recipients, inboxUrl } = parts
  const sendCode = createSendCode(parts)
  const matchCode = createMatchCode(parts)
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
        // The browser has its mark before it requests a code: the code belongs to it alone.
        context.customer.mark()
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
        const { account, email, proof } = await matchCode(body, context)
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
}

function completedMeanwhile(): HttpError {
  return new HttpError(
    409,
    'Your profile was completed in another window. Close this form, and change the profile on the page Profile.',
  )
}
