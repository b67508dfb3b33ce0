import type { EmailClaimEvent } from '#contracts/events/email-claim'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'

/** The owner of an e-mail address. Each address, primary or secondary, belongs to one account. */
export interface EmailClaimState {
  readonly ownerId: UserId | null
  /** The number of the latest claim; 0 before the first. */
  readonly claim: number
  /** The claims of the address are in the stream under the next EMAIL_HMAC_KEY. */
  readonly isMoved: boolean
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

/**
 * As `claim-email`. If `userId` owns the address, the claim gets a new number. The number is above
 * `above`: the account refuses the numbers that it has used, also from the stream under an earlier
 * EMAIL_HMAC_KEY.
 */
interface RenewClaim {
  readonly type: 'renew-claim'
  readonly userId: UserId
  readonly above: number
  readonly at: Instant
}

/**
 * Releases the address if `userId` owns it. Any account can then claim it. With a number, only the
 * claim of this number is released: a process that has claimed the address since keeps it.
 */
interface ReleaseEmail {
  readonly type: 'release-email'
  readonly userId: UserId
  readonly claim: number | null
  readonly at: Instant
}

/** Ends the stream. The state then still has the last owner and number. */
interface MoveClaim {
  readonly type: 'move-claim'
  readonly at: Instant
}

/**
 * Begins the stream under the next EMAIL_HMAC_KEY with the owner and the number that the moved
 * stream ended with. Changes nothing in a stream that has begun.
 */
interface ContinueClaim {
  readonly type: 'continue-claim'
  readonly userId: UserId
  readonly claim: number
  readonly at: Instant
}

export type EmailClaimCommand = ClaimEmail | RenewClaim | ReleaseEmail | MoveClaim | ContinueClaim

/** 'moved': the stream under the next EMAIL_HMAC_KEY decides. */
export const emailClaimDecider: Decider<
  'email',
  EmailClaimState,
  EmailClaimCommand,
  EmailClaimEvent,
  'moved'
> = {
  category: 'email',
  initialState: { ownerId: null, claim: 0, isMoved: false },

  evolve(state, event) {
    switch (event.type) {
      case 'EmailClaimed':
        return {
          ...state,
          ownerId: parseUserId(event.data.userId),
          claim: event.data.claim ?? state.claim + 1,
        }
      case 'EmailReleased':
        return { ...state, ownerId: null }
      case 'EmailClaimMoved':
        return { ...state, isMoved: true }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const next = state.claim + 1
    if (command.type === 'move-claim')
      return state.isMoved
        ? accepted()
        : accepted({
            type: 'EmailClaimMoved',
            data: { userId: state.ownerId },
            occurredAt: command.at,
          })
    if (state.isMoved) return refused('moved')
    const { userId, at } = command
    switch (command.type) {
      case 'claim-email':
        return state.ownerId === null ? claimed(next) : accepted()
      case 'renew-claim':
        // The claim that an interrupted call left can still be used.
        if (state.ownerId === userId && state.claim > command.above) return accepted()
        return state.ownerId === null || state.ownerId === userId
          ? claimed(Math.max(next, command.above + 1))
          : accepted()
      case 'continue-claim':
        return state.claim === 0 ? claimed(command.claim) : accepted()
      case 'release-email':
        return state.ownerId === userId && (command.claim ?? state.claim) === state.claim
          ? accepted({ type: 'EmailReleased', data: { userId }, occurredAt: at })
          : accepted()
      default:
        return unreachable(command)
    }

    function claimed(claim: number) {
      return accepted({
        type: 'EmailClaimed',
        data: claim === next ? { userId } : { userId, claim },
        occurredAt: at,
      } as const)
    }
  },
}
