import { eventIdOfCommand } from '#services/commands/event-ids'
import { signInStream } from '#services/foundation/stream-names'
import { codeMailId } from '#services/mail/code-mail-id'
import type { ReturnTokens } from '#services/mail/return-addresses'
import type { OpenAccount } from './accounts.ts'

/** The command that records the request of a code. */
export const requestOf = (codeId: string): string => `request of ${codeId}`

/**
 * Names the mail with a code in a report that it came back. The event of the request is recorded
 * after the mail: its id follows from the code's.
 */
export function codeTokenOf(
  { userId, secondaryEmail }: Pick<OpenAccount, 'userId' | 'secondaryEmail'>,
  email: string,
  codeId: string,
  tokens: Pick<ReturnTokens, 'tokenOf'>,
): string | null {
  const eventId = eventIdOfCommand(signInStream(userId), requestOf(codeId), 0)
  const recipient = email === secondaryEmail ? 'secondary' : 'primary'
  return tokens.tokenOf({ kind: 'user', id: userId }, codeMailId(eventId, recipient))
}
