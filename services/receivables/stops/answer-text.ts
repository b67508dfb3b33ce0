import { brand } from '#contracts/brand/brand'
import type { StopId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import type { InboundText } from '#services/sms/inbound-text'
import type { ContactStops } from './contact-stops.ts'
import { keywordOf, type TextKeyword } from './text-keyword.ts'

export interface AnswerTextParts {
  readonly stops: Pick<ContactStops, 'idOfPhone' | 'stopPhone' | 'resumePhone' | 'isPhoneStopped'>
  /** Whether the number of this id gets the sentence for an unread text: once a day. */
  readonly mayAnswerUnread: (phone: StopId) => Promise<boolean>
}

/** What HELP answers: who sends. In the GSM alphabet. */
const help = `${brand.name}: texts about invoices, of ours and of the businesses that use us. Help: ${brand.supportEmail}. Reply STOP to end all texts from this number.`
const unread = `${brand.name}: answers to this number are not read. To reach the sender, open the link in its message. Reply STOP to end the texts, HELP for help.`

/**
 * Handles a text to the product's number, and returns the answer; null: none. STOP and START get no
 * answer of the product, because Twilio answers them itself and sends nothing after STOP.
 */
export async function answerText(
  text: InboundText,
  { stops, mayAnswerUnread }: AnswerTextParts,
): Promise<string | null> {
  const { from, sid } = text
  const keyword = keywordWithTwilio(text)
  const context = {
    commandId: `text ${sid}`,
    correlationId: sid,
    actor: { kind: 'system', id: 'inbound texts' },
    source: 'webhook',
  } as const
  switch (keyword) {
    case 'stop':
      await stops.stopPhone(from, 'text', context)
      return null
    case 'start':
      await stops.resumePhone(from, context)
      return null
    case 'help':
      return text.handledAs === null ? help : null
    case 'other':
      return (await getsAnswer(from)) ? unread : null
    default:
      return unreachable(keyword)
  }

  /** Not a short code, and not a number whose holder wants no texts. */
  async function getsAnswer(phone: string): Promise<boolean> {
    const id = await stops.idOfPhone(phone)
    if (id === null || (await stops.isPhoneStopped(phone))) return false
    return mayAnswerUnread(id)
  }
}

/** Twilio may know words in other languages, which the account's owner has set there. */
function keywordWithTwilio({ handledAs, body }: InboundText): TextKeyword {
  switch (handledAs) {
    case 'STOP':
      return 'stop'
    case 'START':
      return 'start'
    case 'HELP':
      return 'help'
    case null:
      return keywordOf(body)
    default:
      return unreachable(handledAs)
  }
}
