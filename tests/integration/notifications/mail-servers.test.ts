import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createMailer, MailNotSent, type Mail, type Mailer } from '#services/mail/mailer'
import { selfSigned } from '../../support/machine/self-signed.ts'
import { freePort } from '../../support/machine/free-port.ts'

/* The mailer of the notifications and mail servers of every kind. */

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serverWith(options: SMTPServerOptions, mails: Email[] = []) {
  const server = new SMTPServer({
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail)
          done()
        }, done)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closing.push(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  )
  return { port: (server.server.address() as AddressInfo).port, mails }
}

function mailer(url: string, perSecond = 1_000): Mailer {
  const created = createMailer(url, '"Billing" <billing@example.com>', perSecond)
  closing.push(() => created.close())
  return created
}

const mail: Mail = {
  to: 'dana@example.com',
  subject: 'Your receipt',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
  messageId: 'event-1.primary@example.com',
  isAutomatic: true,
  attachment: {
    fileName: 'receipt-1.pdf',
    contentType: 'application/pdf',
    content: Buffer.from('%PDF-1.3 receipt'),
  },
}

async function failureOf(sending: Promise<void>): Promise<MailNotSent> {
  const error = await sending.then(
    () => null,
    (failure: unknown) => failure,
  )
  if (error instanceof MailNotSent) return error
  throw new Error(`The mail was ${error === null ? 'sent' : 'refused otherwise'}.`)
}

describe('the mailer', () => {
  it('speaks TLS, signs in, and sends the attachment and the Message-ID', async () => {
    const { key, cert } = selfSigned
    const { port, mails } = await serverWith({
      secure: true,
      key,
      cert,
      onAuth: ({ username, password }, _session, done) =>
        username === 'billing' && password === 'secret'
          ? done(null, { user: 'billing' })
          : done(new Error('The password is wrong')),
    })
    const at = (password: string) =>
      `smtps://billing:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`
    await mailer(at('secret')).send(mail)
    expect(mails).toMatchObject([
      {
        messageId: '<event-1.primary@example.com>',
        subject: 'Your receipt',
        attachments: [{ filename: 'receipt-1.pdf', mimeType: 'application/pdf' }],
      },
    ])
    expect(mails[0]?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    // A wrong password is for the operator: the mail stays, and other mails wait.
    expect(await failureOf(mailer(at('wrong')).send(mail))).toMatchObject({
      isRefused: false,
      isOutage: true,
    })
    // A certificate that no authority signed is refused.
    expect(
      await failureOf(mailer(`smtps://billing:secret@127.0.0.1:${port}`).send(mail)),
    ).toMatchObject({ isRefused: false, isOutage: true })
  })

  it.each([
    [
      'a recipient that does not exist',
      550,
      { isAddressRefused: true, isRefused: true, isOutage: false },
    ],
    ['a busy mailbox', 451, { isAddressRefused: false, isRefused: false, isOutage: false }],
    ['a server that closes the connection', 421, { isRefused: false, isOutage: true }],
  ])('reports %s', async (_what, responseCode, kind) => {
    const { port } = await serverWith({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('No'), { responseCode })),
    })
    expect(await failureOf(mailer(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject(kind)
  })

  it('reports a dead server and one that hangs up as outages', async () => {
    const dead = await failureOf(mailer(`smtp://127.0.0.1:${await freePort()}`).send(mail))
    expect(dead).toMatchObject({ isRefused: false, isOutage: true })
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await failureOf(mailer(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject({
      isRefused: false,
      isOutage: true,
    })
  })

  it('sends at most as many mails per second as it may', async () => {
    const times: number[] = []
    const { port } = await serverWith({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) => {
        times.push(performance.now())
        done()
      },
    })
    const limited = mailer(`smtp://127.0.0.1:${port}`, 10)
    const start = performance.now()
    for (let n = 0; n < 25; n += 1)
      await limited.send({ ...mail, messageId: `event-${n}@a.example` })
    // 10 per second: the 21st mail begins in the third second.
    expect((times[20] ?? 0) - start).toBeGreaterThan(1_900)
  })
})
