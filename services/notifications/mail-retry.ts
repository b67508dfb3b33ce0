import { MailNotSent, maxConnections } from '#services/mail/mailer'

/** How reactors that send mails try again: 1 s, doubled up to 1 h, for about 20 hours. */
export const mailRetry = {
  maxAttempts: 32,
  longestDelayMs: 60 * 60_000,
  skipsOldEvents: true,
  isOutage: (error: unknown) => error instanceof MailNotSent && error.isOutage,
  isFinal: (error: unknown) => error instanceof MailNotSent && error.isRefused,
  isUnanswered: (error: unknown) => error instanceof MailNotSent && error.isUnanswered,
  concurrency: maxConnections,
}
