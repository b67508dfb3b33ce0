import type { Logger } from 'pino'
import { SMTPServer } from 'smtp-server'
import { createMinuteLine } from '#services/foundation/minute-line'
import { StartupError } from '#services/foundation/startup-error'
import { errorCodeOrText } from '#services/foundation/error-code'
import { tokenIn, type ReturnTokens } from '#services/mail/return-addresses'
import type { ReturnedMails } from './returned-mails.ts'

export interface ReportListener {
  readonly port: number
  close(): Promise<void>
}

/** As of the calls. A server that offers DSN returns the headers alone. */
const mostBytes = 256 * 1_024
const mostClients = 20
const silenceMs = 30_000

/**
 * Receives mail to return addresses over SMTP, and no other mail. It takes a mail once what the
 * mail reports is recorded; until then the mail server keeps it and tries again.
 * @throws StartupError if the port cannot be used
 */
export async function listenForReports(
  {
    returned,
    tokens,
    bounceAddress,
    log,
  }: {
    readonly returned: Pick<ReturnedMails, 'take'>
    readonly tokens: Pick<ReturnTokens, 'ownerIn'>
    readonly bounceAddress: string
    readonly log: Pick<Logger, 'warn'>
  },
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ReportListener> {
  const line = createMinuteLine()
  const server = new SMTPServer({
    banner: 'Delivery reports only',
    size: mostBytes,
    maxClients: mostClients,
    socketTimeout: silenceMs,
    closeTimeout: 2_000,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, session, done) => {
      const token = tokenIn(bounceAddress, address)
      const isKnown = token !== null && tokens.ownerIn(token) !== null
      if (isKnown && session.envelope.rcptTo.length === 0) return done()
      return done(refusal(550, '5.1.1 This address takes reports of one mail of the product.'))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(refusal(552, '5.3.4 The mail is larger than 256 KB.'))
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        returned.take(Buffer.concat(chunks), recipients).then(
          () => done(null, '2.0.0 Read'),
          (error: unknown) => {
            line((failed) =>
              log.warn(
                { err: error, failed },
                'A delivery report could not be recorded; its mail server tries again.',
              ),
            )
            done(refusal(451, '4.3.0 The report could not be recorded. Try again.'))
          },
        )
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
