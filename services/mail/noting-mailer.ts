import type { CallOutcomes } from '#services/foundation/call-outcomes'
import { MailNotSent, type Mailer } from './mailer.ts'

/** Notes whether the mail server answers. */
export function notingMailer(mailer: Mailer, mails: CallOutcomes): Mailer {
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail)
        mails.answered()
      } catch (error) {
        if (error instanceof MailNotSent && !error.isOutage && !error.isUnanswered) mails.answered()
        else mails.failed()
        throw error
      }
    },
  }
}
