import type { Logger } from 'pino'
import { SMTPServer } from 'smtp-server'
import { createMinuteLine } from '#services/foundation/minute-line'
import { StartupError } from '#services/foundation/startup-error'
import { errorCodeOrText } from '#services/foundation/error-code'
import { createUnsignedRequests } from '#services/http/admission/unsigned-requests'
import type { ReturnedMails } from './returned-mails.ts'

export interface ReportListener {
  readonly port: number
  close(): Promise<void>
}

/** As of the calls. A server that offers DSN returns the headers alone. */
const maxBytes = 256 * 1_024
const maxClients = 20
const silenceMs = 30_000

/**
 * Receives mail to return addresses over SMTP, and no other mail. It takes a mail once what the
 * mail reports is recorded; until then the mail server keeps it and tries again.
 * @throws StartupError if the port cannot be used
 */
export async function listenForReports(
  {
    returned,
    log,
  }: {
    readonly returned: ReturnedMails
    readonly log: Pick<Logger, 'warn'>
  },
  {
    host,
    port,
    tls,
  }: {
    readonly host: string
    readonly port: number
    /** In PEM, for STARTTLS. Null: the listener has no TLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null
  },
): Promise<ReportListener> {
  const line = createMinuteLine()
  // A mail is read only if its recipient is known, so that strangers cannot keep this process busy.
  const unknown = createUnsignedRequests(() => performance.now())
  const later = (done: (error: Error) => void) => (error: unknown) => {
    line((failed) =>
      log.warn(
        { err: error, failed },
        'A delivery report could not be recorded; its mail server tries again.',
      ),
    )
    done(refusal(451, '4.3.0 The report could not be recorded. Try again.'))
  }
  const server = new SMTPServer({
    banner: 'Delivery reports only',
    size: maxBytes,
    maxClients,
    socketTimeout: silenceMs,
    closeTimeout: 2_000,
    authOptional: true,
    // A mail server that offers no TLS still delivers: a report has nothing that a mail has not.
    ...(tls === null
      ? { disabledCommands: ['AUTH', 'STARTTLS'] }
      : { ...tls, minVersion: 'TLSv1.2' as const, disabledCommands: ['AUTH'] }),
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, session, done) => {
      returned.isReturnAddress(address).then((isKnown) => {
        if (isKnown && session.envelope.rcptTo.length === 0) return done()
        const mayTry = unknown.spend(session.remoteAddress)
        return done(
          mayTry
            ? refusal(550, '5.1.1 This address takes reports of one mail of the product.')
            : refusal(421, '4.7.0 Too many unknown addresses. Try again in 2 minutes.'),
        )
      }, later(done))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(refusal(552, '5.3.4 The mail is larger than 256 KB.'))
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        returned
          .take(Buffer.concat(chunks), recipients)
          .then(() => done(null, '2.0.0 Read'), later(done))
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new StartupError(
          `BOUNCE_PORT is ${port}, and this port cannot be used (${errorCodeOrText(error)}). Set BOUNCE_PORT to a free port, and stop what uses it.`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  server.removeAllListeners('error')
  // A client that ends its connection during a mail.
  server.on('error', () => undefined)
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
