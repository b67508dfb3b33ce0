import { MailNotSent } from '#services/mail/mailer'
import { TextNotSent } from '#services/sms/text-sender'

/** What became of one try to send a message. */
export type Outcome =
  | {
      readonly kind: 'sent'
      readonly subject: string | null
      readonly body: string
      readonly providerId: string | null
    }
  /** It was not accepted. `refused` and `stopped`: for good; `not-accepted`: for now. */
  | {
      readonly kind: 'not-sent'
      readonly why: 'refused' | 'stopped' | 'not-accepted'
      readonly reason: string
      /** The server takes nothing at all now. */
      readonly isOutage: boolean
    }
  /** The server may have accepted it. */
  | { readonly kind: 'unanswered'; readonly reason: string }

/** Of an error of the mailer or the text sender. @throws the error, if it is another one */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof MailNotSent) {
    const { codes: reason } = error
    if (error.isUnanswered) return { kind: 'unanswered', reason }
    const why = error.isAddressRefused ? 'refused' : 'not-accepted'
    return { kind: 'not-sent', why, reason, isOutage: error.isOutage }
  }
  if (error instanceof TextNotSent) {
    const reason = `Twilio's error ${error.code}`
    if (error.isUnanswered) return { kind: 'unanswered', reason }
    if (error.isStopped) return { kind: 'not-sent', why: 'stopped', reason, isOutage: false }
    if (error.isRefused) return { kind: 'not-sent', why: 'refused', reason, isOutage: false }
    return { kind: 'not-sent', why: 'not-accepted', reason, isOutage: true }
  }
  throw error
}
