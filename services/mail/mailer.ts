import nodemailer from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. The same id marks the same mail, should it be sent again. */
  readonly messageId?: string
}

/** The mail server refused the mail, or did not answer. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  constructor(cause: unknown) {
    super(
      `The mail server did not take the mail (${cause instanceof Error ? cause.message : String(cause)}). Check SMTP_URL and the server behind it.`,
      { cause },
    )
  }
}

export interface Mailer {
  /** Resolves once the server has taken the mail. Throws MailNotSent. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** Over SMTP. A dead server is known within seconds, because a person is waiting. */
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
