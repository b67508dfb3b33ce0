import nodemailer from 'nodemailer'
import { z } from 'zod'

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
  /** The address does not exist or cannot exist, so another attempt cannot succeed. */
  readonly isAddressRefused: boolean
  /** Without `cause` and its text: a mail server repeats the recipient in its answer. */
  constructor(cause: unknown) {
    super(
      `The mail server did not accept the mail (${codesOf(cause)}). Check SMTP_URL and the mail server.`,
    )
    const { command, responseCode } = smtpError.catch({}).parse(cause)
    this.isAddressRefused =
      command?.startsWith('RCPT TO') === true && noSuchAddress.includes(responseCode ?? 0)
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

/** RFC 5321: no such mailbox, user not local, name not allowed. A full mailbox (552) can change. */
const noSuchAddress = [550, 551, 553]

const smtpError = z.object({
  code: z.string().optional(),
  responseCode: z.int().optional(),
  command: z.string().optional(),
})

/** Such as 'EENVELOPE, 550, RCPT TO': nodemailer's code, the server's code and the SMTP command. */
function codesOf(error: unknown): string {
  const { code, responseCode, command } = smtpError.catch({}).parse(error)
  // The command can have the address: RCPT TO:<dana@example.com>.
  const verb = command?.split(/[:<]/, 1)[0]
  return [code, responseCode, verb].filter((part) => part !== undefined).join(', ') || 'no code'
}
