import { createMailer, type Mailer } from '#services/mail/mailer'
import { notingMailer } from '#services/mail/noting-mailer'
import type { StartContext } from './start-context.ts'

/** A person waits for the mail with a code. The mails of reactors may take longer. */
const longestCodeMailMs = 12_000

/** Starts the connections for the mails that a person waits for. */
export function startCodeMailer(
  { config, started, tracing, outside }: StartContext,
  smtpUrl: string,
): Mailer {
  const mailer = tracing.mailer(
    notingMailer(
      createMailer(smtpUrl, config.mailFrom, {
        mailMs: longestCodeMailMs,
        bounceAddress: config.bounces?.address ?? null,
      }),
      outside.mails,
    ),
  )
  started.add('mailer', () => Promise.resolve(mailer.close()))
  return mailer
}
