import type { EmailClaimEvent } from '#contracts/events/email-claim'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decider } from '#services/foundation/decider'

/** The owner of an e-mail address. Each address, primary or secondary, belongs to one account. */
export interface EmailClaimState {
  readonly ownerId: UserId | null
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

/** Releases the address if `userId` owns it. Any account can then claim it. */
export interface ReleaseEmail {
  readonly type: 'release-email'
  readonly userId: UserId
  readonly at: Instant
}

export const emailClaimDecider: Decider<
  'email',
  EmailClaimState,
  ClaimEmail | ReleaseEmail,
  EmailClaimEvent,
  never
> = {
  category: 'email',
  initialState: { ownerId: null },

  evolve(_state, event) {
    switch (event.type) {
      case 'EmailClaimed':
        return { ownerId: parseUserId(event.data.userId) }
      case 'EmailReleased':
        return { ownerId: null }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const { type, userId, at } = command
    switch (type) {
      case 'claim-email':
        return state.ownerId === null
          ? accepted({ type: 'EmailClaimed', data: { userId }, occurredAt: at })
          : accepted()
      case 'release-email':
        return state.ownerId === userId
          ? accepted({ type: 'EmailReleased', data: { userId }, occurredAt: at })
          : accepted()
      default:
        return unreachable(type)
    }
  },
}
