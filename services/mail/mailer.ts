import nodemailer from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { z } from 'zod'
import { returnAddress } from './return-addresses.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. A mail that is sent again has the same id. */
  readonly messageId?: string
  /** Names the mail in a report that it came back (`ReturnTokens`). */
  readonly returnToken?: string | null
  /** Shown before the product's address: the merchant in whose name the mail is. */
  readonly fromName?: string
  /** One address. */
  readonly replyTo?: string
  readonly attachment?: MailAttachment
  /** The product sends the mail by itself: programs that answer mails do not answer it. */
  readonly isAutomatic?: boolean
  /** Of the kind of mail, such as List-Unsubscribe. */
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
  /** The server received the whole mail and did not answer: it may have accepted the mail. */
  readonly isUnanswered: boolean
  /** Such as 'EENVELOPE, 550, RCPT TO'. */
  readonly codes: string
  /**
   * Without `cause` and its text: a mail server repeats the recipient in its answer. `wasReceived`:
   * the server received the whole mail.
   */
  constructor(cause: unknown, { wasReceived = false }: { readonly wasReceived?: boolean } = {}) {
    const {
      code,
      command,
      responseCode = 0,
      response = '',
      timeoutType,
    } = smtpError.catch({}).parse(cause)
    const isUnanswered = wasReceived && responseCode === 0
    const codes = `${codesOf(cause)}${isUnanswered ? ', no answer to the mail' : ''}`
    super(
      code === 'EAUTH'
        ? `The mail server refused the user name or the password of SMTP_URL (${codes}). Correct SMTP_URL.`
        : `The mail server did not accept the mail (${codes}). Check SMTP_URL and the mail server.`,
    )
    this.codes = codes
    this.isUnanswered = isUnanswered
    this.isAddressRefused =
      command?.startsWith('RCPT TO') === true &&
      noSuchAddress.includes(responseCode) &&
      !senderIsRefused.test(response)
    const isAboutMail = command !== undefined && /^(MAIL FROM|RCPT TO|DATA)/.test(command)
    this.isRefused = isAboutMail && code !== 'EAUTH' && responseCode >= 500
    // A server that is connected and slow can be slow about one recipient only.
    const isSlow = code === 'EABORT' || timeoutType === 'SOCKET_TIMEOUT' || isUnanswered
    this.isOutage = !isSlow && (!isAboutMail || responseCode === 0 || responseCode === 421)
  }
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws MailNotSent
   */
  send(mail: Mail): Promise<void>
  /**
   * Resolves if the mail server answers and accepts the user of SMTP_URL. Sends nothing.
   * @throws MailNotSent
   */
  check(): Promise<void>
  close(): void
}

export interface MailerOptions {
  /**
   * The turns of mails, which mailers may share. Connections then stay open for the next mails.
   * Default: one connection per mail, without a limit.
   */
  readonly turns?: MailTurns
  /** The longest silence of a connected server, in milliseconds. Default 10 s. */
  readonly silenceMs?: number
  /** The longest time of one mail, in milliseconds. Default 30 s. */
  readonly mailMs?: number
  /** Where reports of mails that come back go. Default: the sender's address. */
  readonly bounceAddress?: string | null
}

/** Gives mails their turns, in the order in which they ask. */
export interface MailTurns {
  next(): Promise<unknown>
}

/** @param perSecond the most mails in a second */
export function createMailTurns(perSecond: number): MailTurns {
  // Nodemailer's limit does not count the first mail of a connection.
  const queue = new RateLimiterQueue(new RateLimiterMemory({ points: perSecond, duration: 1 }))
  return { next: () => queue.removeTokens(1) }
}

/** Of a mail with a token: mail servers return the headers, whatever they do with the envelope. */
export const tokenHeader = 'X-Return-Token'

/** So that a slow recipient does not delay all other mails. */
export const maxConnections = 3

/**
 * Sends over SMTP. Every wait has a limit, because a person or a database connection waits for the
 * answer: 5 s for the connection, and the times of the options.
 */
export function createMailer(
  smtpUrl: string,
  from: string,
  { turns, silenceMs = 10_000, mailMs = 30_000, bounceAddress = null }: MailerOptions = {},
): Mailer {
  const options = {
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport =
    turns === undefined
      ? nodemailer.createTransport(options)
      : nodemailer.createTransport({
          ...options,
          pool: true,
          maxConnections,
          // A server may close an idle connection: its next mail gets a new one, once.
          maxRequeues: 1,
        })
  /** The deadlines of the mails whose last byte was handed to the connection. */
  const received = new WeakSet<AbortSignal>()
  transport.use('stream', ({ data: { signal }, message }, done) => {
    message?.processFunc((content) =>
      content.once('end', () => {
        if (signal !== undefined) received.add(signal)
      }),
    )
    done()
  })
  const [address] = addressparser(from, { flatten: true })
  /** An object, so that no character of a name can be read as a part of the header. */
  const senderWith = (name: string | undefined) =>
    name === undefined ? from : { name, address: address?.address ?? from }
  return {
    async send(mail) {
      const { to, subject, text, html, messageId, attachment, isAutomatic, headers } = mail
      const { returnToken = null } = mail
      await turns?.next()
      const deadline = AbortSignal.timeout(mailMs)
      try {
        await transport.sendMail({
          signal: deadline,
          from: senderWith(mail.fromName),
          ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          to,
          ...(bounceAddress === null
            ? {}
            : { envelope: { from: returnAddress(bounceAddress, returnToken), to } }),
          // Only to a server that offers it (RFC 3461). The report then has the token, too, and
          // not the whole mail.
          ...(bounceAddress === null || returnToken === null
            ? {}
            : { dsn: { id: returnToken, return: 'headers', notify: ['failure', 'delay'] } }),
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
            ...(bounceAddress === null || returnToken === null
              ? {}
              : { [tokenHeader]: returnToken }),
            ...(isAutomatic === true ? { 'Auto-Submitted': 'auto-generated' } : {}),
          },
        })
      } catch (error) {
        throw new MailNotSent(error, { wasReceived: received.has(deadline) })
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw new MailNotSent(error)
      }
    },
    close: () => transport.close(),
  }
}

/** RFC 5321: no such mailbox, user not local, name not allowed. A full mailbox (552) can change. */
const noSuchAddress = [550, 551, 553]
/**
 * The server takes no mail for this address from this sender, for example without a sign-in. So
 * the address can exist: RFC 3463, 5.7 (security or policy). Exim says only that it does not relay.
 */
const senderIsRefused = /^55\d[ -](5\.7\.|.*\brelay)/i

const smtpError = z.object({
  code: z.string().optional(),
  responseCode: z.int().optional(),
  command: z.string().optional(),
  /** The server's answer. It can repeat the address. */
  response: z.string().optional(),
  /** Of nodemailer: which of its timeouts it was. */
  timeoutType: z.string().optional(),
})

/** Such as 'EENVELOPE, 550, RCPT TO': nodemailer's code, the server's code and the SMTP command. */
function codesOf(error: unknown): string {
  const { code, responseCode, command } = smtpError.catch({}).parse(error)
  // The command can have the address: RCPT TO:<dana@example.com>.
  const verb = command?.split(/[:<]/, 1)[0]
  return [code, responseCode, verb].filter((part) => part !== undefined).join(', ') || 'no code'
}
