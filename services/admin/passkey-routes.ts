import {
  addPasskeyRequest,
  administratorParams,
  passkeyCreationOptions,
  passkeyParams,
  passkeysResponse,
  removePasskeysResponse,
  renamePasskeyRequest,
} from '#contracts/admin/passkeys'
import type { AddedPasskey, Administrators } from '#services/administrators/administrators'
import { maxPasskeys } from '#services/administrators/administrators-decider'
import {
  activeAdministrator,
  type Administrator,
} from '#services/administrators/administrators-state'
import {
  creationOptions,
  verifyCreated,
} from '#services/administrators/passkeys/passkey-ceremonies'
import type { PasskeyChallenges } from '#services/administrators/passkeys/passkey-challenges'
import { passkeyUses } from '#services/administrators/passkeys/passkey-uses'
import type { RelyingParty } from '#services/administrators/passkeys/relying-party'
import { refusalSentences } from '#services/administrators/refusal-sentences'
import { refusedChange } from '#services/administrators/refused-change'
import type { Queryable } from '#services/foundation/queryable'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import {
  deleteAdminSessions,
  deleteOtherAdminSessions,
} from '#services/http/sessions/session-tables'
import { possible } from './passkey-login-routes.ts'

export interface PasskeyParts {
  readonly administrators: Pick<Administrators, 'load' | 'change' | 'passkeysOf'>
  readonly challenges: PasskeyChallenges
  readonly site: RelyingParty
  readonly limits: Limits
  readonly pool: Queryable
}

/** A change without its author and its time. */
type OwnCommand = Parameters<Administrators['change']>[0] extends infer Command
  ? Command extends unknown
    ? Omit<Command, 'by'>
    : never
  : never

type AdminContext = RequestContext & { readonly adminId: string }

/**
 * The passkeys of the signed-in administrator, and the removal of another one's by an owner. A
 * removal ends the sessions that may be those of a lost device.
 */
export function passkeyRoutes({
  administrators,
  challenges,
  site,
  limits,
  pool,
}: PasskeyParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/passkeys',
      summary: 'List the own passkeys',
      access: 'admin',
      right: 'own',
      answer: passkeysResponse,
      handle: (_input, context) => listed(context),
    })

    route({
      method: 'post',
      path: '/api/admin/passkeys/options',
      appends: 'challenge',
      summary: 'Start to add a passkey: get the challenge that the new passkey signs',
      access: 'admin',
      right: 'own',
      answer: passkeyCreationOptions,
      alsoAnswers: [409],
      async handle(_input, context) {
        const { rpId } = possible(site)
        const person = await named(context)
        if (person.passkeys.length >= maxPasskeys) throw refusedChange('too-many-passkeys')
        const challenge = await challenges.issue(addition(context))
        return creationOptions({ rpId, challenge }, person)
      },
    })

    route({
      method: 'post',
      path: '/api/admin/passkeys',
      appends: 'passkey',
      summary: 'Add a passkey that the browser has made',
      access: 'admin',
      right: 'own',
      body: addPasskeyRequest,
      answer: passkeysResponse,
      alsoAnswers: [409, 429],
      async handle({ body: { label, passkey: created } }, context) {
        const { rpId, origin } = possible(site)
        const person = await named(context)
        const holder = addition(context)
        const challenge = await challenges.read(holder)
        if (challenge === null) {
          // The repeat of an addition whose answer was lost.
          if (person.passkeys.some(({ passkeyId }) => passkeyId === created.id))
            return listed(context)
          throw unverified(tooLate)
        }
        await limits.passkeyChange.spend(context.adminId)
        const verified = await verifyCreated({ rpId, origin, challenge }, created)
        if (verified.kind === 'refused') {
          context.log.warn({ why: verified.why }, 'A new passkey was not verified.')
          await challenges.forget(holder)
          throw unverified(notVerified)
        }
        const passkey = { ...verified.passkey, label }
        await change({ type: 'add-passkey', adminId: context.adminId, passkey }, context)
        await challenges.forget(holder)
        return listed(context)
      },
    })

    route({
      method: 'patch',
      path: '/api/admin/passkeys/:passkeyId',
      appends: 'passkey',
      summary: 'Rename an own passkey',
      access: 'admin',
      right: 'own',
      params: passkeyParams,
      body: renamePasskeyRequest,
      answer: passkeysResponse,
      alsoAnswers: [404, 409, 429],
      async handle({ params: { passkeyId }, body: { label } }, context) {
        const { adminId } = await named(context)
        await limits.passkeyChange.spend(adminId)
        await change({ type: 'rename-passkey', adminId, passkeyId, label }, context)
        return listed(context)
      },
    })

    route({
      method: 'post',
      path: '/api/admin/passkeys/:passkeyId/remove',
      appends: 'passkey',
      summary: 'Remove an own passkey, and end the other sessions of the person',
      access: 'admin',
      right: 'own',
      params: passkeyParams,
      answer: passkeysResponse,
      alsoAnswers: [409, 429],
      async handle({ params: { passkeyId } }, context) {
        const { adminId } = await named(context)
        await limits.passkeyChange.spend(adminId)
        await change({ type: 'remove-passkey', adminId, passkeyId }, context)
        await deleteOtherAdminSessions(pool, adminId, context.admin.handle)
        return listed(context)
      },
    })

    route({
      method: 'post',
      path: '/api/admin/administrators/:adminId/remove-passkeys',
      appends: 'administrator',
      summary: 'Remove all passkeys of an administrator, and end the sessions of the person',
      access: 'admin',
      right: 'administrators',
      params: administratorParams,
      answer: removePasskeysResponse,
      alsoAnswers: [404, 409],
      async handle({ params: { adminId } }, context) {
        const person = activeAdministrator(await administrators.load(), adminId)
        await change({ type: 'remove-passkeys', adminId }, context)
        if (adminId === context.adminId)
          await deleteOtherAdminSessions(pool, adminId, context.admin.handle)
        else await deleteAdminSessions(pool, adminId)
        return {
          removed: person?.passkeys.length ?? 0,
          message: `${person?.name ?? 'The person'} has no passkeys and no ${adminId === context.adminId ? 'other sessions' : 'sessions'} now. The next sign-in needs the password and a mailed code.`,
        }
      },
    })
  }

  /** @throws HttpError 409 while no administrator is named: the shared password is of no person */
  async function named({ adminId }: AdminContext): Promise<Administrator> {
    const person = activeAdministrator(await administrators.load(), adminId)
    if (person !== null) return person
    throw new HttpError(409, notNamed)
  }

  async function listed({ adminId }: AdminContext) {
    const passkeys = await administrators.passkeysOf(adminId)
    const uses = await passkeyUses(
      pool,
      (passkeys ?? []).map(({ passkeyId }) => passkeyId),
    )
    return {
      passkeys: (passkeys ?? []).map(({ passkeyId, label, addedAt }) => ({
        passkeyId,
        label,
        addedAt,
        usedAt: uses.get(passkeyId)?.usedAt ?? null,
      })),
      cannotAdd: whyNot(passkeys),
      origin: site.origin,
    }
  }

  /** `passkeys` is null while no administrator is named. */
  function whyNot(passkeys: readonly AddedPasskey[] | null): string | null {
    if (site.kind === 'impossible') return site.sentence
    if (passkeys === null) return notNamed
    return passkeys.length < maxPasskeys ? null : refusalSentences['too-many-passkeys']
  }

  /** @throws HttpError 403, 404 or 409 with the reason */
  async function change(command: OwnCommand, context: AdminContext): Promise<void> {
    const { adminId } = context
    const refusal = await administrators.change(
      { ...command, by: { kind: 'administrator', adminId } },
      commandContext(context, { kind: 'admin', id: adminId }),
    )
    if (refusal !== null) throw refusedChange(refusal)
  }
}

/** The session alone completes an addition that it started. */
function addition({ admin }: RequestContext): string {
  if (admin.handle === null) throw new Error('An administrator has a session. This is a bug.')
  return `addition ${admin.handle}`
}

const notNamed =
  "A passkey belongs to a named administrator, and no administrator is named yet. Ask the operator to name you with 'billing admins add', and log in again."
const tooLate =
  'This addition has expired, or was started in another browser. Start it again with "Add a passkey".'
const notVerified =
  'The passkey could not be verified, so it was not added. Try again at the address of the console.'

function unverified(reason: string): HttpError {
  return new HttpError(400, { error: reason, field: 'passkey', reason })
}
