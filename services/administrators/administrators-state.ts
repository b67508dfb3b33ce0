import { mayDo, type AdminRight, type AdminRole } from '#contracts/admin/roles'
import type { AdministratorsEvent } from '#contracts/events/administrators'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'

export interface Passkey {
  readonly passkeyId: string
  readonly publicKey: string
  readonly transports: readonly string[]
  readonly label: string
  /** The counter when the passkey was added. `passkey-uses.ts` has that of its last use. */
  readonly counter: number
}

export interface Administrator {
  readonly adminId: string
  readonly name: string
  readonly email: string
  readonly role: AdminRole
  /** An ended administrator stays known, so that the history names the person. */
  readonly isEnded: boolean
  readonly passkeys: readonly Passkey[]
}

/** By id, in the order in which they were added. */
export interface AdministratorsState {
  readonly administrators: ReadonlyMap<string, Administrator>
}

export const noAdministrators: AdministratorsState = { administrators: new Map() }

export function evolveAdministrators(
  state: AdministratorsState,
  event: AdministratorsEvent,
): AdministratorsState {
  switch (event.type) {
    case 'AdministratorAdded':
      return withOne(state, { ...event.data, isEnded: false, passkeys: [] })
    case 'AdministratorRenamed':
      return changed(state, event.data.adminId, () => event.data)
    case 'AdministratorRoleChanged':
      return changed(state, event.data.adminId, () => ({ role: event.data.to }))
    case 'AdministratorEnded':
      return changed(state, event.data.adminId, () => ({ isEnded: true, passkeys: [] }))
    case 'PasskeyAdded': {
      const { adminId, ...passkey } = event.data
      return changed(state, adminId, ({ passkeys }) => ({
        passkeys: [...passkeys, passkey],
      }))
    }
    case 'PasskeyRenamed': {
      const { adminId, passkeyId, label } = event.data
      return changed(state, adminId, ({ passkeys }) => ({
        passkeys: passkeys.map((each) =>
          each.passkeyId === passkeyId ? { ...each, label } : each,
        ),
      }))
    }
    case 'PasskeyRemoved':
      return changed(state, event.data.adminId, ({ passkeys }) => ({
        passkeys: passkeys.filter(({ passkeyId }) => passkeyId !== event.data.passkeyId),
      }))
    default:
      return unreachable(event)
  }
}

function withOne({ administrators }: AdministratorsState, one: Administrator): AdministratorsState {
  return { administrators: new Map([...administrators, [one.adminId, one]]) }
}

function changed(
  state: AdministratorsState,
  adminId: string,
  change: (before: Administrator) => Partial<Administrator>,
): AdministratorsState {
  const before = state.administrators.get(adminId)
  if (before === undefined)
    throw new DamagedHistory(
      `The log has an event about the administrator ${adminId}, who was never added. The log is damaged: run npm run billing -- events verify.`,
    )
  return withOne(state, { ...before, ...change(before) })
}

export function activeAdministrators({
  administrators,
}: AdministratorsState): readonly Administrator[] {
  return [...administrators.values()].filter(({ isEnded }) => !isEnded)
}

/** The named administrators who have the right now. */
export function administratorsWith(
  state: AdministratorsState,
  right: AdminRight,
): readonly Administrator[] {
  return activeAdministrators(state).filter(({ role }) => mayDo(role, right))
}

/** The administrator of this id who has not been ended. */
export function activeAdministrator(
  { administrators }: AdministratorsState,
  adminId: string,
): Administrator | null {
  const found = administrators.get(adminId)
  return found === undefined || found.isEnded ? null : found
}

/** The passkey with this id, and its person. Null if no administrator signs in with it. */
export function passkeyOf(
  state: AdministratorsState,
  passkeyId: string,
): { readonly person: Administrator; readonly passkey: Passkey } | null {
  for (const person of activeAdministrators(state)) {
    const passkey = person.passkeys.find((each) => each.passkeyId === passkeyId)
    if (passkey !== undefined) return { person, passkey }
  }
  return null
}
