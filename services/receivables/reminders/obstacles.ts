import type { TextNumber } from '#services/sms/text-number'
import type { RemindedClient } from './reminded.ts'

/** How a client can be reached, as the log or the read model has it. */
export interface ReachedClient {
  readonly email: string | null
  readonly phone: string | null
  /** The address refused messages for good. */
  readonly mailBounced: boolean
  readonly textBounced: boolean
  readonly mayText: boolean
}

/** Who or what stopped the messages to a client. Null: they may go out. */
export interface Stopped {
  readonly mail: string | null
  readonly text: string | null
}

/**
 * Why a channel cannot reach a client. Null: it can. `number`: what the client's number is for
 * texts; null: it has none, or the product sends no texts. Sending and every forecast ask here.
 */
export function obstaclesOf(
  { email, phone, mailBounced, textBounced, mayText }: ReachedClient,
  stopped: Stopped,
  number: TextNumber | null,
): Pick<RemindedClient, 'mail' | 'text'> {
  return { mail: mailObstacle(), text: textObstacle() }

  function mailObstacle(): RemindedClient['mail'] {
    if (email === null) return 'no-address'
    if (stopped.mail !== null) return 'stopped'
    return mailBounced ? 'bounced' : null
  }

  function textObstacle(): RemindedClient['text'] {
    if (phone === null || number?.kind === 'none') return 'no-address'
    if (!mayText) return 'no-consent'
    if (stopped.text !== null) return 'stopped'
    if (textBounced) return 'bounced'
    return number?.kind === 'allowed' ? null : 'not-allowed'
  }
}
