import { createHash } from 'node:crypto'
import type { z } from 'zod'
import {
  passkeyAssertion,
  passkeyLoginResponse,
  passkeyRequestOptions,
  passkeySignInResponse,
} from '#contracts/admin/passkeys'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { Administrators } from '#services/administrators/administrators'
import {
  activeAdministrators,
  passkeyOf,
  type Administrator,
  type Passkey,
} from '#services/administrators/administrators-state'
import type { PasskeyChallenges } from '#services/administrators/passkeys/passkey-challenges'
import {
  requestOptions,
  verifyAssertion,
} from '#services/administrators/passkeys/passkey-ceremonies'
import {
  counterRises,
  knownCounter,
  passkeyUses,
  raiseCounter,
} from '#services/administrators/passkeys/passkey-uses'
import type { RelyingParty } from '#services/administrators/passkeys/relying-party'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { createRecordAdminAccess } from './record-admin-access.ts'

export interface PasskeyLoginParts {
  readonly commands: CommandHandler
  readonly administrators: Pick<Administrators, 'load'>
  readonly challenges: PasskeyChallenges
  readonly site: RelyingParty
  readonly limits: Limits
  readonly pool: Queryable
  readonly clock: Clock
}

type Assertion = z.infer<typeof passkeyAssertion>

/** A passkey that has signed the challenge, and the counter that it reported. */
interface Signed {
  readonly person: Administrator
  readonly passkey: Passkey
  readonly holder: string
  readonly challenge: string
  readonly counter: number
}

type Refusal = keyof typeof sentences

/**
 * The sign-in of a named administrator with a passkey, which replaces the password and the code. A
 * challenge is for one browser and one sign-in. Each sign-in, and each refusal, is recorded.
 */
export function passkeyLoginRoutes(parts: PasskeyLoginParts): Routes {
  const { administrators, challenges, site, limits, pool, clock } = parts
  const record = createRecordAdminAccess(parts)

  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/login/passkey',
      work: 'sign-in',
      summary: 'Show whether the login offers passkeys, and at which address',
      access: 'public',
      answer: passkeyLoginResponse,
      async handle() {
        const named = activeAdministrators(await administrators.load())
        const offered =
          site.kind === 'possible' && named.some(({ passkeys }) => passkeys.length > 0)
        return { offered, origin: site.origin }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/login/passkey/options',
      appends: 'challenge',
      work: 'sign-in',
      summary: 'Start a sign-in with a passkey: get the challenge that the passkey signs',
      access: 'public',
      ignoresIdempotencyKey: true,
      answer: passkeyRequestOptions,
      alsoAnswers: [409, 429],
      async handle(_input, { network, admin }) {
        const { rpId } = possible(site)
        await limits.passkeyChallenge.spend(network)
        return requestOptions({ rpId, challenge: await challenges.issue(signIn(admin.mark())) })
      },
    })

    route({
      method: 'post',
      path: '/api/admin/login/passkey',
      appends: 'administrator sign-in',
      work: 'sign-in',
      summary: 'Sign in as a named administrator with the signature of a passkey',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: passkeyAssertion,
      answer: passkeySignInResponse,
      alsoAnswers: [409, 429],
      async handle({ body }, context) {
        const { rpId, origin } = possible(site)
        // Counted before the signature is verified. No try succeeds by chance, but each is
        // recorded.
        await limits.adminLogin.spend(context.network)
        if (await isRepeat(body, context)) {
          await limits.adminLogin.reset(context.network)
          context.admin.completeSignIn()
          return { isAdmin: true } as const
        }
        const signed = await verify(body, { rpId, origin }, context)
        await limits.adminLogin.reset(context.network)
        await limits.passkeyChallenge.reset(context.network)
        await begin(signed, body, context)
        return { isAdmin: true } as const
      },
    })
  }

  /** @throws HttpError 400 with the reason. The challenge is then used up. */
  async function verify(
    assertion: Assertion,
    { rpId, origin }: { readonly rpId: string; readonly origin: string },
    context: RequestContext,
  ): Promise<Signed> {
    const { browser } = context.admin
    const holder = browser === null ? null : signIn(browser)
    const challenge = holder && (await challenges.read(holder))
    if (holder === null || challenge === null) throw await refused('late-passkey', context)
    const found = passkeyOf(await administrators.load(), assertion.id)
    if (found === null) {
      await challenges.forget(holder)
      throw await refused('unknown-passkey', context)
    }
    const verified = await verifyAssertion({ rpId, origin, challenge }, assertion, found)
    if (verified.kind === 'refused') {
      context.log.warn({ why: verified.why }, 'A passkey was not verified.')
      await challenges.forget(holder)
      throw await refused('wrong-passkey', context)
    }
    const { counter } = verified
    const uses = await passkeyUses(pool, [found.passkey.passkeyId])
    const signed = { ...found, holder, challenge, counter }
    const known = knownCounter(found.passkey, uses.get(found.passkey.passkeyId))
    if (counterRises(known, counter)) return signed
    await challenges.forget(holder)
    throw await fellBack(signed, known, context)
  }

  /** @throws HttpError 400 if another sign-in has used the challenge, or raised the counter */
  async function begin(signed: Signed, assertion: Assertion, context: RequestContext) {
    const { person, passkey, holder, challenge, counter } = signed
    const { adminId } = person
    const { passkeyId } = passkey
    // A challenge signs in once, so a repeat is the same sign-in.
    await record(
      { type: 'AdminSignedIn', data: { adminId, by: 'passkey', passkey: { passkeyId, counter } } },
      adminId,
      context,
      `sign-in with the challenge ${digest(challenge)}`,
    )
    let isUsed = false
    const isFirst = await context.admin.signIn(
      adminId,
      { signInCode: proofOf(assertion, challenge) },
      async (tx) => {
        isUsed = await challenges.use(tx, holder, challenge)
        const usedAt = clock.now().toISOString()
        return isUsed && (await raiseCounter(tx, passkeyId, { counter, usedAt }))
      },
    )
    if (isFirst) {
      context.log.info({ adminId, by: 'passkey' }, 'An administrator signed in.')
      return
    }
    if (!isUsed) throw refusal('late-passkey')
    const uses = await passkeyUses(pool, [passkeyId])
    throw await fellBack(signed, knownCounter(passkey, uses.get(passkeyId)), context)
  }

  /** Whether the sign-in was stored, while its answer was 503. */
  async function isRepeat(assertion: Assertion, { admin }: RequestContext): Promise<boolean> {
    if (admin.adminId === null || admin.signInCode === null) return false
    const found = passkeyOf(await administrators.load(), assertion.id)
    if (found?.person.adminId !== admin.adminId) return false
    return admin.signInCode.hash === digest(assertion.response.signature)
  }

  async function refused(
    reason: Extract<AdminAccessEvent, { type: 'AdminSignInRefused' }>['data']['reason'] & Refusal,
    context: RequestContext,
  ): Promise<HttpError> {
    context.log.warn({ reason }, 'An administrator sign-in was refused.')
    await record({ type: 'AdminSignInRefused', data: { reason } }, 'unknown', context)
    return refusal(reason)
  }

  /** The finding stays in the history: an owner must remove the passkey. */
  async function fellBack(
    { person: { adminId }, passkey: { passkeyId }, counter }: Signed,
    known: number,
    context: RequestContext,
  ): Promise<HttpError> {
    context.log.warn(
      { adminId, from: known, to: counter },
      'The counter of a passkey fell back; the sign-in was refused.',
    )
    await record(
      { type: 'PasskeyCounterFellBack', data: { adminId, passkeyId, from: known, to: counter } },
      'unknown',
      context,
    )
    return refusal('counter')
  }
}

/** @throws HttpError 409 if no browser can use a passkey at the product's address */
export function possible(site: RelyingParty): Extract<RelyingParty, { kind: 'possible' }> {
  if (site.kind === 'possible') return site
  throw new HttpError(409, site.sentence)
}

const signIn = (browser: string) => `sign-in ${browser}`
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** As that of a code: a repeat after 503 has the same signature. */
const proofOf = ({ response }: Assertion, challenge: string) => ({
  salt: digest(challenge),
  hash: digest(response.signature),
})

const sentences = {
  'late-passkey':
    'This sign-in has expired, or was started in another browser. Start it again with "Sign in with a passkey".',
  'unknown-passkey':
    'No administrator signs in with this passkey. It may have been removed. Use another passkey, or the password and a mailed code.',
  'wrong-passkey':
    'The passkey could not be verified. Try again, or use the password and a mailed code.',
  counter:
    'The passkey was refused: its counter fell back, so a copy of it may exist. Sign in with the password and a mailed code, remove the passkey, and inform an owner.',
} as const

function refusal(reason: Refusal): HttpError {
  return new HttpError(400, {
    error: sentences[reason],
    field: 'passkey',
    reason: sentences[reason],
  })
}
