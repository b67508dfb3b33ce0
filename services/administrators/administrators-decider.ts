import type { AdminRole } from '#contracts/admin/roles'
import type { AdministratorsEvent } from '#contracts/events/administrators'
import type { Instant } from '#contracts/instant'
import {
  accepted,
  refused,
  unreachable,
  type CommandOf,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import {
  activeAdministrator,
  activeAdministrators,
  evolveAdministrators,
  noAdministrators,
  passkeyOf,
  type Administrator,
  type AdministratorsState,
  type Passkey,
} from './administrators-state.ts'

/**
 * The author of the change. The decider checks the author at the same revision as the change: of
 * two owners who end each other at once, one is no owner any more. The shared password names no
 * person, so it changes nothing here: the operator adds the first administrator.
 */
export type Author =
  | { readonly kind: 'operator' }
  | { readonly kind: 'administrator'; readonly adminId: string }

type Details = Pick<Administrator, 'adminId' | 'name' | 'email'>

interface OnePasskey {
  readonly adminId: string
  readonly passkeyId: string
}

type Change =
  | { readonly type: 'add-administrator'; readonly person: Details & { readonly role: AdminRole } }
  | { readonly type: 'rename-administrator'; readonly person: Details }
  | { readonly type: 'change-role'; readonly adminId: string; readonly to: AdminRole }
  | { readonly type: 'end-administrator'; readonly adminId: string }
  | { readonly type: 'add-passkey'; readonly adminId: string; readonly passkey: Passkey }
  | ({ readonly type: 'rename-passkey'; readonly label: string } & OnePasskey)
  | ({ readonly type: 'remove-passkey' } & OnePasskey)
  | { readonly type: 'remove-passkeys'; readonly adminId: string }

export type AdministratorsCommand = Change & { readonly by: Author; readonly at: Instant }

/**
 * - `none-named`: no administrator exists, so no owner can be the author.
 * - `not-allowed`: the author is no owner, or not the person whose passkey it is.
 * - `first-is-owner`: otherwise no administrator could name another one.
 * - `last-owner`: an owner must remain, who can name administrators.
 * - `email-taken`: another administrator signs in with the address.
 */
export type AdministratorsRefusal =
  | 'none-named'
  | 'not-allowed'
  | 'unknown-administrator'
  | 'first-is-owner'
  | 'last-owner'
  | 'email-taken'
  | 'too-many-administrators'
  | 'too-many-passkeys'
  | 'passkey-known'
  | 'unknown-passkey'

/** Each call of the console folds the stream, so it stays short. */
export const maxAdministrators = 100
export const maxPasskeys = 10

type Decided = Decision<AdministratorsEvent, AdministratorsRefusal>

/** The rules about all administrators of the product. */
export const administratorsDecider: Decider<
  'administrators',
  AdministratorsState,
  AdministratorsCommand,
  AdministratorsEvent,
  AdministratorsRefusal
> = {
  category: 'administrators',
  initialState: noAdministrators,
  evolve: evolveAdministrators,

  decide(command, state) {
    if (command.by.kind === 'administrator' && activeAdministrators(state).length === 0)
      return refused('none-named')
    if (!mayChange(command, state)) return refused('not-allowed')
    switch (command.type) {
      case 'add-administrator':
        return add(command, state)
      case 'rename-administrator':
        return rename(command, state)
      case 'change-role':
        return changeRole(command, state)
      case 'end-administrator':
        return end(command, state)
      case 'add-passkey':
        return addPasskey(command, state)
      case 'rename-passkey':
        return renamePasskey(command, state)
      case 'remove-passkey':
        return removePasskey(command, state)
      case 'remove-passkeys':
        return removePasskeys(command, state)
      default:
        return unreachable(command)
    }
  },
}

type Of<Type extends AdministratorsCommand['type']> = CommandOf<AdministratorsCommand, Type>

/**
 * Owners change everything. A person adds, renames and removes the own passkeys. Owners and the
 * operator remove those of others, and neither add nor rename them.
 */
function mayChange(command: AdministratorsCommand, state: AdministratorsState): boolean {
  const { by } = command
  const isOwn =
    'adminId' in command && by.kind === 'administrator' && by.adminId === command.adminId
  if (command.type === 'add-passkey' || command.type === 'rename-passkey') return isOwn
  switch (by.kind) {
    case 'operator':
      return true
    case 'administrator':
      if ((command.type === 'remove-passkey' || command.type === 'remove-passkeys') && isOwn)
        return true
      return activeAdministrator(state, by.adminId)?.role === 'owner'
    default:
      return unreachable(by)
  }
}

function add({ person, at }: Of<'add-administrator'>, state: AdministratorsState): Decided {
  if (state.administrators.has(person.adminId)) return accepted()
  const active = activeAdministrators(state)
  if (active.length === 0 && person.role !== 'owner') return refused('first-is-owner')
  if (isTaken(state, person)) return refused('email-taken')
  if (state.administrators.size >= maxAdministrators) return refused('too-many-administrators')
  return accepted({ type: 'AdministratorAdded', data: person, occurredAt: at })
}

function rename({ person, at }: Of<'rename-administrator'>, state: AdministratorsState): Decided {
  const known = activeAdministrator(state, person.adminId)
  if (known === null) return refused('unknown-administrator')
  if (known.name === person.name && known.email === person.email) return accepted()
  if (isTaken(state, person)) return refused('email-taken')
  return accepted({ type: 'AdministratorRenamed', data: person, occurredAt: at })
}

function changeRole({ adminId, to, at }: Of<'change-role'>, state: AdministratorsState): Decided {
  const known = activeAdministrator(state, adminId)
  if (known === null) return refused('unknown-administrator')
  const { role: from } = known
  if (from === to) return accepted()
  if (isLastOwner(state, known)) return refused('last-owner')
  return accepted({ type: 'AdministratorRoleChanged', data: { adminId, from, to }, occurredAt: at })
}

function end({ adminId, at }: Of<'end-administrator'>, state: AdministratorsState): Decided {
  const known = state.administrators.get(adminId)
  if (known === undefined) return refused('unknown-administrator')
  if (known.isEnded) return accepted()
  if (isLastOwner(state, known)) return refused('last-owner')
  return accepted({ type: 'AdministratorEnded', data: { adminId }, occurredAt: at })
}

function addPasskey(
  { adminId, passkey, at }: Of<'add-passkey'>,
  state: AdministratorsState,
): Decided {
  const known = activeAdministrator(state, adminId)
  if (known === null) return refused('unknown-administrator')
  const owner = passkeyOf(state, passkey.passkeyId)?.person
  if (owner !== undefined) return owner === known ? accepted() : refused('passkey-known')
  if (known.passkeys.length >= maxPasskeys) return refused('too-many-passkeys')
  const data = { ...passkey, adminId, transports: [...passkey.transports] }
  return accepted({ type: 'PasskeyAdded', data, occurredAt: at })
}

function renamePasskey(
  { adminId, passkeyId, label, at }: Of<'rename-passkey'>,
  state: AdministratorsState,
): Decided {
  const known = passkeyOf(state, passkeyId)
  if (known === null || known.person.adminId !== adminId) return refused('unknown-passkey')
  if (known.passkey.label === label) return accepted()
  return accepted({
    type: 'PasskeyRenamed',
    data: { adminId, passkeyId, label },
    occurredAt: at,
  })
}

function removePasskey(
  { adminId, passkeyId, at }: Of<'remove-passkey'>,
  state: AdministratorsState,
): Decided {
  const known = activeAdministrator(state, adminId)
  if (known === null) return refused('unknown-administrator')
  if (!known.passkeys.some((each) => each.passkeyId === passkeyId)) return accepted()
  return accepted({ type: 'PasskeyRemoved', data: { adminId, passkeyId }, occurredAt: at })
}

function removePasskeys(
  { adminId, at }: Of<'remove-passkeys'>,
  state: AdministratorsState,
): Decided {
  const known = activeAdministrator(state, adminId)
  if (known === null) return refused('unknown-administrator')
  return accepted(
    ...known.passkeys.map(({ passkeyId }) => ({
      type: 'PasskeyRemoved' as const,
      data: { adminId, passkeyId },
      occurredAt: at,
    })),
  )
}

function isTaken(state: AdministratorsState, { adminId, email }: Details): boolean {
  return activeAdministrators(state).some(
    (each) => each.email === email && each.adminId !== adminId,
  )
}

function isLastOwner(state: AdministratorsState, { adminId }: Administrator): boolean {
  const owners = activeAdministrators(state).filter(({ role }) => role === 'owner')
  return owners.length === 1 && owners[0]?.adminId === adminId
}
