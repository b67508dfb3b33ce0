import { createMailer, type Mailer, type MailerOptions } from '#services/mail/mailer'
import { notingMailer } from '#services/mail/noting-mailer'
import type { StartContext } from './start-context.ts'

/**
 * Starts a mailer with connections of its own, so that its mails wait for no others.
 * @param name of the started part, such as `mailer of notifications`
 */
export function startMailer(
  { config, started, tracing, outside }: StartContext,
  name: string,
  smtpUrl: string,
  options: Pick<MailerOptions, 'turns' | 'mailMs'>,
): Mailer {
  const mailer = tracing.mailer(
    notingMailer(
      createMailer(smtpUrl, config.mailFrom, {
        ...options,
        bounceAddress: config.bounces?.address ?? null,
      }),
      outside.mails,
    ),
  )
  started.add(name, () => Promise.resolve(mailer.close()))
  return mailer
}
