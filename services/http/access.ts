import { mayDo, refusedRight, type AdminRight, type AdminRole } from '#contracts/admin/roles'
import type { UserId } from '#contracts/ids'
import { HttpError } from './http-error.ts'
import type { AdminSession, CustomerSession } from './sessions/sessions.ts'

/** The caller's fields that a handler receives, by the access that its endpoint declares. */
interface Callers {
  readonly public: object
  readonly customer: { readonly userId: UserId }
  readonly admin: { readonly adminId: string }
  /** A program with a merchant's key. Cookies do not count. */
  readonly 'merchant-key': KeyHolder
  readonly 'customer-or-admin':
    | { readonly userId: UserId; readonly adminId: string | null }
    | { readonly userId: null; readonly adminId: string }
}

/** Whose key a program has. */
export interface KeyHolder {
  readonly merchantId: UserId
  readonly keyId: string
}

/** Who an administrator's session belongs to now. */
export interface AdminPerson {
  readonly adminId: string
  /** Null for a sign-in with the shared password, while no administrator is named. */
  readonly name: string | null
  readonly role: AdminRole
}

/** What a declaration adds for its access: the right that an administrator needs for the call. */
export type RightFor<Declared extends Access> = Declared extends 'admin' | 'customer-or-admin'
  ? { readonly right: AdminRight }
  : { readonly right?: never }

/** The session that a call needs. `public` needs no session. */
export type Access = keyof Callers
export type Caller<Declared extends Access> = Callers[Declared]

interface RequestSessions {
  readonly customer: CustomerSession
  /** Of a call with a key. Null: no valid key. */
  readonly keyHolder: KeyHolder | null
  readonly admin: AdminSession
}

const admissions: {
  readonly [Declared in Access]: (sessions: RequestSessions) => Callers[Declared]
} = {
  public: () => ({}),
  customer: ({ customer: { userId } }) => {
    if (userId === null) throw notLoggedIn()
    return { userId }
  },
  admin: ({ admin: { adminId } }) => {
    if (adminId === null) throw new HttpError(401, 'Log in as an administrator first.')
    return { adminId }
  },
  'merchant-key': ({ keyHolder }) => {
    if (keyHolder === null)
      throw new HttpError(401, 'The key is not valid. Send Authorization: Bearer <key>.')
    return keyHolder
  },
  'customer-or-admin': ({ customer: { userId }, admin: { adminId } }) => {
    if (userId !== null) return { userId, adminId }
    if (adminId !== null) return { userId, adminId }
    throw notLoggedIn()
  },
}

/**
 * The caller of an endpoint with this access.
 * @throws HttpError 401 if the request does not have the session
 */
export function admit<Declared extends Access>(
  access: Declared,
  sessions: RequestSessions,
): Caller<Declared> {
  return admissions[access](sessions)
}

/**
 * The caller after its administrator was looked up. An administrator whose session is over, or
 * whose role does not have the right, calls as the customer whose session the browser also has.
 * @throws HttpError 401 if the session is over, 403 if the role does not have the right
 */
export async function admitPerson<Declared extends Access>(
  caller: Caller<Declared>,
  right: AdminRight | undefined,
  person: () => Promise<AdminPerson | null>,
): Promise<Caller<Declared>> {
  const { adminId, userId = null } = caller as {
    readonly adminId?: string | null
    readonly userId?: UserId | null
  }
  if (right === undefined || adminId === undefined || adminId === null) return caller
  const found = await person()
  if (found !== null && mayDo(found.role, right)) return caller
  if (userId !== null) return { ...caller, adminId: null }
  throw found === null
    ? new HttpError(401, 'Log in as an administrator first.')
    : new HttpError(403, refusedRight(found.role, right))
}

export function notLoggedIn(): HttpError {
  return new HttpError(401, 'You need to be logged in')
}

export function notYours(): HttpError {
  return new HttpError(403, 'This belongs to another account.')
}

export function noSuchUser(): HttpError {
  return new HttpError(404, 'There is no open account with this id. Refresh the list of users.')
}

/** For what a blocked account may not do: it may only sign in and read. */
export function accountBlocked(): HttpError {
  return new HttpError(403, 'Your account is blocked. Please contact support.')
}
