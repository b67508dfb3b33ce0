import nodemailer from 'nodemailer'
import { z } from 'zod'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. A mail that is sent again has the same id. */
  readonly messageId?: string
  readonly attachment?: MailAttachment
  /** The product sends the mail by itself: programs that answer mails do not answer it. */
  readonly isAutomatic?: boolean
  /** Of the kind of mail, such as Reply-To. */
  readonly headers?: Readonly<Record<string, string>>
}

interface MailAttachment {
  readonly fileName: string
  readonly contentType: string
  readonly content: Buffer
}

/** The mail server refused the mail or did not answer. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  /** The address does not exist or cannot exist, so another attempt cannot succeed. */
  readonly isAddressRefused: boolean
  /** The server refuses this mail for good (5xx), for any reason. */
  readonly isRefused: boolean
  /** The server is away, closes the connection (421) or refuses the sign-in: it takes no mail. */
  readonly isOutage: boolean
  /** Such as 'EENVELOPE, 550, RCPT TO'. */
  readonly codes: string
  /** Without `cause` and its text: a mail server repeats the recipient in its answer. */
  constructor(cause: unknown) {
    const codes = codesOf(cause)
    super(`The mail server did not accept the mail (${codes}). Check SMTP_URL and the mail server.`)
    this.codes = codes
    const { code, command, responseCode = 0 } = smtpError.catch({}).parse(cause)
    this.isAddressRefused =
      command?.startsWith('RCPT TO') === true && noSuchAddress.includes(responseCode)
    const isAboutMail = command !== undefined && /^(MAIL FROM|RCPT TO|DATA)/.test(command)
    this.isRefused = isAboutMail && code !== 'EAUTH' && responseCode >= 500
    this.isOutage = !isAboutMail || responseCode === 0 || responseCode === 421
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

/**
 * Sends over SMTP. The timeouts are 5 s to 10 s, because a person or a database connection waits
 * for the answer. With `perSecond` the connection stays open for the next mail, and at most this
 * many mails are sent per second.
 */
export function createMailer(smtpUrl: string, from: string, perSecond?: number): Mailer {
  const options = {
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport =
    perSecond === undefined
      ? nodemailer.createTransport(options)
      : nodemailer.createTransport({
          ...options,
          pool: true,
          maxConnections: 1,
          rateDelta: 1_000,
          rateLimit: perSecond,
        })
  return {
    async send({ to, subject, text, html, messageId, attachment, isAutomatic, headers }) {
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          html,
          ...(messageId === undefined ? {} : { messageId }),
          ...(attachment === undefined
            ? {}
            : {
                attachments: [
                  {
                    filename: attachment.fileName,
                    contentType: attachment.contentType,
                    content: attachment.content,
                  },
                ],
              }),
          headers: {
            ...headers,
            ...(isAutomatic === true ? { 'Auto-Submitted': 'auto-generated' } : {}),
          },
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
