import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decider } from '#services/foundation/decider'

export type AdminAccessCommand =
  | { readonly type: 'note-sign-in'; readonly adminId: string; readonly at: Instant }
  | {
      readonly type: 'note-refusal'
      readonly reason: 'wrong-password' | 'too-many-tries'
      readonly at: Instant
    }
  | { readonly type: 'note-sign-out'; readonly adminId: string; readonly at: Instant }

/**
 * Records sign-ins and sign-outs of administrators. It refuses no command, so it needs no state.
 */
export const adminAccessDecider: Decider<
  'adminAccess',
  null,
  AdminAccessCommand,
  AdminAccessEvent,
  never
> = {
  category: 'adminAccess',
  initialState: null,
  evolve: () => null,
  decide(command) {
    const occurredAt = command.at
    switch (command.type) {
      case 'note-sign-in':
        return accepted({ type: 'AdminSignedIn', data: { adminId: command.adminId }, occurredAt })
      case 'note-refusal':
        return accepted({
          type: 'AdminSignInRefused',
          data: { reason: command.reason },
          occurredAt,
        })
      case 'note-sign-out':
        return accepted({ type: 'AdminSignedOut', data: { adminId: command.adminId }, occurredAt })
      default:
        return unreachable(command)
    }
  },
}
