import PostalMime from 'postal-mime'
import type { Logger } from 'pino'
import { SMTPServer } from 'smtp-server'
import type { Store } from '../store/store.ts'
import { explainListenError } from '../explain-listen-error.ts'
import { saveMessage } from './message.ts'
import { bouncesAfterMs, mailFault, slowMs } from './special-recipients.ts'
import { wireAddress } from './wire-address.ts'

export interface SmtpListener {
  readonly port: number
  close(): Promise<void>
}

const maxBytes = 10 * 1024 * 1024

/**
 * An SMTP server that accepts mail to any address and forwards none. It accepts a mail once the
 * mail is durable.
 */
export async function listenForMail(
  store: Store,
  host: string,
  port: number,
  log: Logger,
): Promise<SmtpListener> {
  const server = new SMTPServer({
    name: 'sandbox',
    banner: 'Sandbox: no mail is forwarded',
    size: maxBytes,
    authOptional: true,
    // RFC 3461: the envelope id comes back in a delivery report.
    hideDSN: false,
    // A client would refuse a self-signed certificate.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onRcptTo: ({ address }, _session, done) => {
      const fault = mailFault(address)
      if (fault === null) return done()
      if (fault === 'slow') {
        setTimeout(done, slowMs)
        return undefined
      }
      // The client's timeout ends the connection.
      if (fault === 'silent') return undefined
      const { responseCode, text } = fault
      return done(Object.assign(new Error(text), { responseCode }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stream.sizeExceeded)
          return done(
            Object.assign(
              new Error(`The mail is larger than ${maxBytes} bytes. Send a smaller mail.`),
              {
                responseCode: 552,
              },
            ),
          )
        void answer(
          saveMail(store, Buffer.concat(chunks), {
            recipients: session.envelope.rcptTo.map(({ address }) => wireAddress(address)),
            returnPath:
              session.envelope.mailFrom === false ? null : session.envelope.mailFrom.address,
            envelopeId: session.envelope.dsn?.envid ?? null,
          }),
          done,
          log,
        )
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        explainListenError(error, host, {
          port,
          use: "the sandbox's mail",
          remedy: 'SANDBOX_SMTP_PORT to another port (0 chooses a free port)',
        }),
      ),
    )
    server.listen(port, host, () => resolve())
  })
  // A client that disconnects during a mail is not an error of the sandbox.
  server.removeAllListeners('error')
  server.on('error', (error) =>
    log.debug({ err: error }, 'A mail connection failed; the client must connect again.'),
  )
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function answer(
  saving: Promise<string>,
  done: (error: Error | null, message?: string) => void,
  log: Logger,
): Promise<void> {
  let id: string
  try {
    id = await saving
  } catch (error) {
    log.error({ err: error }, 'Storing a mail failed; the client received 451.')
    done(
      Object.assign(new Error('The sandbox could not store the mail. Try again.'), {
        responseCode: 451,
      }),
    )
    return
  }
  done(null, `Stored as ${id}`)
}

interface Envelope {
  readonly recipients: readonly string[]
  readonly returnPath: string | null
  readonly envelopeId: string | null
}

async function saveMail(
  store: Store,
  raw: Buffer,
  { recipients, returnPath, envelopeId }: Envelope,
): Promise<string> {
  const mail = await PostalMime.parse(raw)
  const ids = await saveMessage(store, {
    channel: 'email',
    recipients,
    // A report has no sender, so that nothing answers it.
    returnPath: returnPath === '' ? null : returnPath,
    envelopeId,
    headers: mail.headerLines.map(({ line }) => line).join('\r\n'),
    bouncesAfterMs,
    from: mail.from?.address ?? '',
    subject: mail.subject ?? null,
    text: mail.text?.trim() ?? null,
    html: mail.html ?? null,
    messageId: mail.messageId ?? null,
    replyTo: mail.replyTo?.[0]?.address ?? null,
    listUnsubscribe: mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? null,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      fileName: filename ?? 'unnamed',
      contentType: mimeType,
      content:
        typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
    })),
  })
  return ids.join(', ')
}
