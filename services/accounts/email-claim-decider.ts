import type { EmailClaimEvent } from '#contracts/events/email-claim'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decider } from '#services/foundation/decider'

/** The owner of an e-mail address. Each address, primary or secondary, belongs to one account. */
export interface EmailClaimState {
  readonly ownerId: UserId | null
  /** The number of the latest claim; 0 before the first. */
  readonly claim: number
}

/**
 * Claims the address for `userId`. If the address has an owner, nothing changes and the state names
 * the owner.
 */
export interface ClaimEmail {
  readonly type: 'claim-email'
  readonly userId: UserId
  readonly at: Instant
}

/** As `claim-email`. If `userId` owns the address, the claim gets a new number. */
export interface RenewClaim {
  readonly type: 'renew-claim'
  readonly userId: UserId
  readonly at: Instant
}

/**
 * Releases the address if `userId` owns it. Any account can then claim it. With a number, only the
 * claim of this number is released: a process that has claimed the address since keeps it.
 */
export interface ReleaseEmail {
  readonly type: 'release-email'
  readonly userId: UserId
  readonly claim: number | null
  readonly at: Instant
}

export const emailClaimDecider: Decider<
  'email',
  EmailClaimState,
  ClaimEmail | RenewClaim | ReleaseEmail,
  EmailClaimEvent,
  never
> = {
  category: 'email',
  initialState: { ownerId: null, claim: 0 },

  evolve(state, event) {
    switch (event.type) {
      case 'EmailClaimed':
        return { ownerId: parseUserId(event.data.userId), claim: state.claim + 1 }
      case 'EmailReleased':
        return { ...state, ownerId: null }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const { userId, at } = command
    const claimed = { type: 'EmailClaimed', data: { userId }, occurredAt: at } as const
    switch (command.type) {
      case 'claim-email':
        return state.ownerId === null ? accepted(claimed) : accepted()
      case 'renew-claim':
        return state.ownerId === null || state.ownerId === userId ? accepted(claimed) : accepted()
      case 'release-email':
        return state.ownerId === userId && (command.claim ?? state.claim) === state.claim
          ? accepted({ type: 'EmailReleased', data: { userId }, occurredAt: at })
          : accepted()
      default:
        return unreachable(command)
    }
  },
}
