import nodemailer from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. A mail that is sent again has the same id. */
  readonly messageId?: string
}

/** The mail server refused the mail or did not answer. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  constructor(cause: unknown) {
    super(
      `The mail server did not accept the mail (${cause instanceof Error ? cause.message : String(cause)}). Check SMTP_URL and the mail server.`,
      { cause },
    )
  }
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws MailNotSent
   */
  send(mail: Mail): Promise<void>
  close(): void
}

/** Sends over SMTP. The timeouts are 5 s to 10 s, because a person waits for the answer. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, messageId }) {
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          html,
          ...(messageId === undefined ? {} : { messageId }),
        })
      } catch (error) {
        throw new MailNotSent(error)
      }
    },
    close: () => transport.close(),
  }
}
