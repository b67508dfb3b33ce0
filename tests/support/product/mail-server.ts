import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps the mails that it accepts. */
export interface MailServer {
  readonly port: number
  readonly mails: readonly Email[]
  /** Decides about a recipient: an SMTP code refuses it, null accepts it. */
  answerWith(answer: (address: string) => number | null | Promise<number | null>): void
  /** The newest code that was mailed to the address. */
  codeFor(address: string): string
  close(): Promise<void>
}

/** By default the server accepts every recipient. Without `port` it listens on a free port. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: Email[] = []
  let answer: Parameters<MailServer['answerWith']>[0] = () => null
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) =>
      void Promise.resolve(answer(address)).then((responseCode) =>
        responseCode === null
          ? done()
          : done(Object.assign(new Error(`<${address}>: refused`), { responseCode })),
      ),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on(
        'end',
        () =>
          void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
            mails.push(mail)
            done()
          }, done),
      )
    },
  })
  // A client that disconnects is not an error of the test.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    answerWith: (given) => {
      answer = given
    },
    codeFor(address) {
      const mail = mails.findLast(({ to }) => to?.some((each) => each.address === address))
      const [code] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? []
      if (code === undefined) throw new Error(`No code was mailed to ${address}.`)
      return code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
