import PostalMime from 'postal-mime'
import type { Logger } from 'pino'
import { SMTPServer } from 'smtp-server'
import type { Store } from '../store/store.ts'
import { StartupError } from '../startup-error.ts'
import { keepMessage } from './message.ts'

export interface SmtpListener {
  readonly port: number
  close(): Promise<void>
}

const maxBytes = 10 * 1024 * 1024

/** A mail server that takes everything for everybody and passes nothing on. A mail is accepted once it is durable. */
export async function listenForMail(
  store: Store,
  host: string,
  port: number,
  log: Logger,
): Promise<SmtpListener> {
  const server = new SMTPServer({
    name: 'sandbox',
    banner: 'Sandbox: mail ends here',
    size: maxBytes,
    authOptional: true,
    // A certificate of our own making would only be refused.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stream.sizeExceeded)
          return done(
            Object.assign(new Error(`The mail is larger than ${maxBytes} bytes.`), {
              responseCode: 552,
            }),
          )
        void answer(
          keepMail(
            store,
            Buffer.concat(chunks),
            session.envelope.rcptTo.map(({ address }) => address),
          ),
          done,
          log,
        )
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)))
    server.listen(port, host, () => resolve())
  })
  // Clients that hang up half way are no concern of ours.
  server.removeAllListeners('error')
  server.on('error', (error) => log.debug({ err: error }, 'A mail connection failed.'))
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function answer(
  keeping: Promise<string>,
  done: (error: Error | null, message?: string) => void,
  log: Logger,
): Promise<void> {
  let id: string
  try {
    id = await keeping
  } catch (error) {
    log.error({ err: error }, 'A mail could not be kept.')
    done(
      Object.assign(new Error('The sandbox could not keep the mail. Try again.'), {
        responseCode: 451,
      }),
    )
    return
  }
  done(null, `Kept as ${id}`)
}

async function keepMail(store: Store, raw: Buffer, recipients: readonly string[]): Promise<string> {
  const mail = await PostalMime.parse(raw)
  const ids = await keepMessage(store, {
    channel: 'email',
    recipients,
    from: mail.from?.address ?? '',
    subject: mail.subject ?? null,
    text: mail.text?.trim() ?? null,
    html: mail.html ?? null,
  })
  return ids.join(', ')
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  return error.code === 'EADDRINUSE'
    ? new StartupError(
        `Port ${port}, for the sandbox's mail, is in use. Stop what uses it, or set SANDBOX_SMTP_PORT to another one (0 chooses a free one).`,
      )
    : error
}
