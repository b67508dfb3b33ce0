import type { EmailClaimEvent } from '#contracts/events/email-claim'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decider } from '../decider.ts'

/** To whom an address belongs. One address, one account, for primary and secondary ones alike. */
export interface EmailClaimState {
  readonly ownerId: string | null
}

/** Claims the address for `userId` unless it has an owner: then the owner stays, and is the answer. */
export interface ClaimEmail {
  readonly type: 'claim-email'
  readonly userId: string
  readonly at: Instant
}

export const emailClaimDecider: Decider<EmailClaimState, ClaimEmail, EmailClaimEvent, never> = {
  initialState: { ownerId: null },

  evolve(_state, event) {
    switch (event.type) {
      case 'EmailClaimed':
        return { ownerId: event.data.userId }
      case 'EmailReleased':
        return { ownerId: null }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    if (state.ownerId !== null) return accepted()
    return accepted({ type: 'EmailClaimed', data: { userId: command.userId }, occurredAt: command.at })
  },
}
