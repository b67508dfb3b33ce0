import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { withTimeout } from '#services/foundation/timeout'

const codeLimitMs = 10_000

export interface MailSink {
  readonly port: number
  /** The next code that is mailed to this address. Call it before the code is requested. */
  nextCode(address: string): Promise<string>
  close(): Promise<void>
}

/** An SMTP server that keeps no mail. It returns each sign-in code to its measurement. */
export async function startMailSink(): Promise<MailSink> {
  const waiting = new Map<string, (code: string) => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [recipient] = session.envelope.rcptTo
        PostalMime.parse(Buffer.concat(chunks)).then(({ text = '' }) => {
          const [code] = /\b\d{6}\b/.exec(text) ?? []
          if (recipient !== undefined && code !== undefined) waiting.get(recipient.address)?.(code)
          done()
        }, done)
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    nextCode: (address) =>
      withTimeout(codeLimitMs, new Promise((resolve) => waiting.set(address, resolve)), () => {
        throw new Error(`No sign-in code for ${address} arrived within 10 s.`)
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
