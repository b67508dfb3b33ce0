import type { Logger } from 'pino'
import { parseUserId } from '#contracts/ids'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { streamOwner } from '#services/foundation/stream-names'
import { MailNotSent, type Mailer } from '#services/mail/mailer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import type { Accounts } from './accounts.ts'
import { secondaryEmailMail } from './secondary-email-mail.ts'
import type { Recipient } from './secondary-email-notice.ts'

/**
 * Mails both addresses of an account when its secondary address is set or removed. One reactor per
 * address: a retry for one address does not repeat the mail to the other.
 */
export function secondaryEmailReactors(parts: {
  readonly accounts: Pick<Accounts, 'find'>
  readonly mailer: Pick<Mailer, 'send'>
  readonly log: Logger
}): readonly Reactor[] {
  return [reactorFor('primary', parts), reactorFor('secondary', parts)]
}

function reactorFor(
  recipient: Recipient,
  { accounts, mailer, log }: Parameters<typeof secondaryEmailReactors>[0],
): Reactor {
  const name = `secondary-email-mail-${recipient}`
  return defineReactor({
    name,
    handles: ['SecondaryEmailSet', 'SecondaryEmailRemoved'],
    async effect({ id, type, stream, data: { email }, metadata }) {
      const account = await accounts.find(parseUserId(streamOwner(stream)))
      // The person was erased meanwhile: there is no account to report on, and no address.
      if (account === null || email === erasedValue) return
      const change = {
        change: type === 'SecondaryEmailSet' ? ('added' as const) : ('removed' as const),
        primary: account.email,
        secondary: email,
        at: metadata.occurredAt,
        eventId: id,
      }
      try {
        await mailer.send(await secondaryEmailMail(change, recipient))
      } catch (error) {
        if (!(error instanceof MailNotSent) || !error.isAddressRefused) throw error
        // A retry cannot succeed, for example at a mistyped address.
        log.warn(
          { err: error, reactor: name, eventId: id },
          'The mail server refuses the address of a notice for good. The notice is not sent.',
        )
      }
    },
  })
}
