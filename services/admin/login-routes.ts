import { z } from 'zod'
import {
  adminCodeRequest,
  adminCodeResponse,
  adminLoginRequest,
  adminLoginResponse,
} from '#contracts/admin/sign-in'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { AddressHmac } from '#contracts/ids'
import type { SignInCodeStore } from '#services/accounts/sign-in-code-store'
import type { Administrators } from '#services/administrators/administrators'
import {
  activeAdministrators,
  type Administrator,
} from '#services/administrators/administrators-state'
import type { Mailer } from '#services/mail/mailer'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { countTry } from '#services/http/counted-tries'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { noteSignedOut } from '#services/http/note-signed-out'
import type { Routes } from '#services/http/routes'
import { createCodeStep, type MatchedCode, type TypedAddress } from './code-step.ts'
import { createRecordAdminAccess } from './record-admin-access.ts'

export interface AdminLoginParts {
  readonly commands: CommandHandler
  readonly administrators: Pick<Administrators, 'load'>
  readonly codes: SignInCodeStore
  readonly mailer: Pick<Mailer, 'check' | 'send'>
  /** The HMAC of an address, under which the code is stored. */
  readonly hmacOf: (email: string) => AddressHmac
  readonly limits: Limits
  readonly clock: Clock
  readonly ids: Ids
  readonly isPassword: (password: string) => Promise<boolean>
}

/**
 * Sign-in and sign-out of administrators. While no administrator is named, the shared password
 * alone signs in. After that it is the first step: then comes the address of a named
 * administrator, and the code that was mailed to it, in the same browser. Each sign-in is recorded
 * in the log.
 */
export function adminLoginRoutes({
  commands,
  administrators,
  codes,
  mailer,
  hmacOf,
  limits,
  clock,
  ids,
  isPassword,
}: AdminLoginParts): Routes {
  /**
   * By network: the id of a sign-in with the right password that an outage interrupted. The repeat
   * completes this sign-in, and the log has it once.
   */
  const unfinished = new Map<string, string>()
  const note = createRecordAdminAccess({ commands, clock })
  const codeStep = createCodeStep({
    codes,
    mailer,
    hmacOf,
    limits,
    noteUnknown: (context) => refuse('unknown-address', context),
  })

  return (route) => {
    route({
      method: 'post',
      path: '/api/admin/login',
      appends: 'administrator sign-in',
      work: 'sign-in',
      summary: 'Sign in as an administrator, or have a code mailed to a named one',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: adminLoginRequest,
      answer: adminLoginResponse,
      alsoAnswers: [401, 429, 502],
      async handle({ body }, context) {
        await countTry([[limits.adminLogin, context.network]], async () => {
          if (await isPassword(body.password)) return
          await refuse('wrong-password', context)
          throw new HttpError(401, 'Invalid password')
        })
        await limits.adminLogin.reset(context.network)
        const named = activeAdministrators(await administrators.load())
        if (named.length === 0) {
          await signInUnnamed(context)
          return { isAdmin: true } as const
        }
        if (body.email === undefined) return { isAdmin: false, next: 'email' } as const
        await codeStep.send(typedAddress(named, body.email), context)
        return { isAdmin: false, next: 'code' } as const
      },
    })

    route({
      method: 'post',
      path: '/api/admin/login/code',
      appends: 'administrator sign-in',
      work: 'sign-in',
      summary: 'Sign in as a named administrator with the mailed code',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: adminCodeRequest,
      answer: adminCodeResponse,
      alsoAnswers: [429],
      async handle({ body }, context) {
        const matched = await countTry([[limits.adminLogin, context.network]], async () => {
          const named = activeAdministrators(await administrators.load())
          const typed = typedAddress(named, body.email)
          if (await isRepeat(typed, body.code, context)) return 'repeat'
          return matchCode(typed, body.code, context)
        })
        await limits.adminLogin.reset(context.network)
        // At last: after it nothing can fail, so no answer 503 loses the cookie of the session.
        if (matched === 'repeat') context.admin.completeSignIn()
        else if (!(await signInNamed(matched, context))) throw codeRefused('wrong')
        return { isAdmin: true } as const
      },
    })

    route({
      method: 'post',
      path: '/api/admin/logout',
      appends: 'administrator sign-in',
      summary: 'End the administrator session',
      access: 'public',
      ignoresIdempotencyKey: true,
      answer: z.object({}),
      async handle(_input, context) {
        const { adminId } = context.admin
        // Before the session ends: a repeat without the session has nothing to record.
        if (adminId !== null)
          await noteSignedOut(context, { adminId }, () =>
            note(
              { type: 'AdminSignedOut', data: { adminId } },
              adminId,
              context,
              `end of ${context.admin.handle}`,
            ),
          )
        await context.admin.signOut()
        return {}
      },
    })
  }

  async function signInUnnamed(context: RequestContext): Promise<void> {
    const adminId = unfinished.get(context.network) ?? `adm_${ids.uuid()}`
    unfinished.delete(context.network)
    try {
      await noteSignIn(adminId, 'shared-password', context, `sign-in of ${adminId}`)
      await context.admin.signIn(adminId)
    } catch (error) {
      unfinished.set(context.network, adminId)
      throw error
    }
    context.log.info({ adminId, by: 'shared-password' }, 'An administrator signed in.')
  }

  /** @throws HttpError 400 if the code does not sign in */
  async function matchCode(
    typed: TypedAddress,
    code: string,
    context: RequestContext,
  ): Promise<MatchedCode> {
    const address = hmacOf(typed.email)
    // A person who knows the shared password can guess from many networks.
    const matched = await countTry([[limits.tryAdminCode, address]], async () => {
      const tried = await codeStep.tryCode(typed, code, context)
      if (tried.outcome === 'matches') return tried
      const isSpent = tried.outcome === 'too-many-tries'
      await refuse(isSpent ? 'too-many-tries' : 'wrong-code', context)
      throw codeRefused(tried.outcome)
    })
    await limits.tryAdminCode.reset(address)
    await limits.adminCodeMails.reset(address)
    return matched
  }

  /** False if the code was used or replaced meanwhile. */
  async function signInNamed(
    { person: { adminId }, proof }: MatchedCode,
    context: RequestContext,
  ): Promise<boolean> {
    // A code signs in once, so a repeat is the same sign-in.
    await noteSignIn(adminId, 'code', context, `sign-in with ${proof.salt}`)
    const isFirst = await context.admin.signIn(adminId, { signInCode: proof }, (tx) =>
      codes.use(tx, adminId, proof),
    )
    if (isFirst) context.log.info({ adminId, by: 'code' }, 'An administrator signed in.')
    return isFirst
  }

  /** Whether the sign-in was stored, while its answer was 503. */
  async function isRepeat(
    { person }: TypedAddress,
    code: string,
    { admin }: RequestContext,
  ): Promise<boolean> {
    if (person === null || admin.adminId !== person.adminId || admin.signInCode === null)
      return false
    return codes.isCodeOf(code, admin.signInCode)
  }

  function noteSignIn(
    adminId: string,
    by: Extract<AdminAccessEvent, { type: 'AdminSignedIn' }>['data']['by'],
    context: RequestContext,
    once: string,
  ): Promise<void> {
    return note({ type: 'AdminSignedIn', data: { adminId, by } }, adminId, context, once)
  }

  async function refuse(
    reason: Extract<AdminAccessEvent, { type: 'AdminSignInRefused' }>['data']['reason'],
    context: RequestContext,
  ): Promise<void> {
    context.log.warn({ reason }, 'An administrator sign-in was refused.')
    await note({ type: 'AdminSignInRefused', data: { reason } }, 'unknown', context)
  }
}

function typedAddress(named: readonly Administrator[], email: string): TypedAddress {
  return { email, person: named.find((each) => each.email === email) ?? null }
}

function codeRefused(outcome: keyof typeof refusedCode): HttpError {
  const reason = refusedCode[outcome]
  return new HttpError(400, { error: reason, field: 'code', reason })
}

const refusedCode = {
  wrong: 'The code is wrong. Enter the code of the newest mail, in the browser that requested it.',
  expired: 'This code has expired. Log in again for a new code.',
  'too-many-tries': 'This code was tried too often. Log in again for a new code.',
} as const
