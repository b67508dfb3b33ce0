import type { ClientId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import type { Mailer } from '#services/mail/mailer'
import type { ReturnTokens } from '#services/mail/return-addresses'
import type { TextSender } from '#services/sms/text-sender'
import type { Composed } from './compose-message.ts'
import { outcomeOf, type Outcome } from './outcome.ts'

export interface SendersParts {
  readonly mailer: Pick<Mailer, 'send'>
  /** Null: the product sends no texts. */
  readonly texts: Pick<TextSender, 'send' | 'find'> | null
  /** Of the Message-IDs. */
  readonly mailDomain: string
  /** Name each mail in a report that it came back. */
  readonly returnTokens: Pick<ReturnTokens, 'tokenOf'>
}

interface Message {
  readonly clientId: ClientId
  readonly messageId: string
  /** An e-mail address, or a number in E.164. */
  readonly to: string
}

/** Sends messages, and asks what became of them. */
export interface Senders {
  /** A message that is sent again has the same Message-ID. */
  send(message: Message, composed: Composed): Promise<Outcome>
  /**
   * Looks for a text that may have been accepted, by what its link to the client's page begins
   * with.
   * Null: the provider has none.
   * @throws TextNotSent
   */
  findText(search: {
    readonly to: string
    readonly link: string
    readonly since: Date
  }): Promise<{ readonly sid: string; readonly body: string } | null>
}

export function createSenders({ mailer, texts, mailDomain, returnTokens }: SendersParts): Senders {
  async function sent({ clientId, messageId, to }: Message, composed: Composed): Promise<Outcome> {
    switch (composed.channel) {
      case 'mail': {
        const { fromName, replyTo, subject, html, text, headers } = composed
        await mailer.send({
          to,
          fromName,
          ...(replyTo === '' ? {} : { replyTo }),
          subject,
          html,
          text,
          headers,
          messageId: `${messageId}@${mailDomain}`,
          returnToken: returnTokens.tokenOf({ kind: 'client', id: clientId }, messageId),
          isAutomatic: true,
        })
        return { kind: 'sent', subject, body: text, providerId: null }
      }
      case 'text': {
        const { body } = composed
        const { sid } = await textsOf(texts).send({ to, body })
        return { kind: 'sent', subject: null, body, providerId: sid }
      }
      default:
        return unreachable(composed)
    }
  }
  return {
    send: (message, composed) => sent(message, composed).catch(outcomeOf),
    findText: ({ to, link, since }) => textsOf(texts).find({ to, including: link, since }),
  }
}

function textsOf<Texts>(texts: Texts | null): Texts {
  if (texts !== null) return texts
  throw new Error('A text was due and no texts are sent here. This is a bug; report it.')
}
