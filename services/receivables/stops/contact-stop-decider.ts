import type { ContactStopEvent } from '#contracts/events/contact-stop'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'

export type StopVia = Extract<ContactStopEvent, { type: 'ContactStopped' }>['data']['via']
type ResumeVia = Extract<ContactStopEvent, { type: 'ContactResumed' }>['data']['via']

export interface ContactStopState {
  /** Null: messages may go to the address. */
  readonly stoppedVia: StopVia | null
}

export type ContactStopCommand =
  | { readonly type: 'stop'; readonly via: StopVia; readonly at: Instant }
  | { readonly type: 'resume'; readonly via: ResumeVia; readonly at: Instant }

/** 'stopped-by-text': only START from the number ends the stop. */
export type ContactStopRefusal = 'stopped-by-text' | 'stopped-in-portal'

/**
 * Whether messages may go to an address. A stop ends where it began: one by text with START from
 * the number, one in the portal or in a mail program in the portal. No command of a merchant ends
 * one.
 */
export const contactStopDecider: Decider<
  'contactStop',
  ContactStopState,
  ContactStopCommand,
  ContactStopEvent,
  ContactStopRefusal
> = {
  category: 'contactStop',
  initialState: { stoppedVia: null },

  evolve(_state, event) {
    switch (event.type) {
      case 'ContactStopped':
        return { stoppedVia: event.data.via }
      case 'ContactResumed':
        return { stoppedVia: null }
      default:
        return unreachable(event)
    }
  },

  decide(command, { stoppedVia }) {
    const { via, at: occurredAt } = command
    switch (command.type) {
      case 'stop':
        // A text is recorded also if it changes nothing: a copy of the webhook, delivered after the
        // next text, is then a repeated command.
        if (stoppedVia !== null && via !== 'text') return accepted()
        return accepted({ type: 'ContactStopped', data: { via: command.via }, occurredAt })
      case 'resume':
        if (via !== 'text' && stoppedVia === null) return accepted()
        if (stoppedVia !== null && isOfPhone(stoppedVia) !== isOfPhone(via))
          return refused(isOfPhone(stoppedVia) ? 'stopped-by-text' : 'stopped-in-portal')
        return accepted({ type: 'ContactResumed', data: { via: command.via }, occurredAt })
      default:
        return unreachable(command)
    }
  },
}

/** Whether the stop concerns the number itself, whichever merchant sends. */
function isOfPhone(via: StopVia | ResumeVia): boolean {
  return via === 'text' || via === 'provider'
}
