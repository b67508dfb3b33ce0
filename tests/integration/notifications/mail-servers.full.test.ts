import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import {
  createMailTurns,
  createMailer,
  MailNotSent,
  type Mail,
  type Mailer,
  type MailerOptions,
} from '#services/mail/mailer'
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

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void server.close())
  return (server.address() as AddressInfo).port
}

function mailer(url: string, options: MailerOptions = {}): Mailer {
  const created = createMailer(url, '"Billing" <billing@example.com>', {
    turns: createMailTurns(1_000),
    ...options,
  })
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
      message:
        'The mail server refused the user name or the password of SMTP_URL (EAUTH, 535, AUTH PLAIN). Correct SMTP_URL.',
    })
    // A certificate that no authority signed is refused.
    expect(
      await failureOf(mailer(`smtps://billing:secret@127.0.0.1:${port}`).send(mail)),
    ).toMatchObject({ isRefused: false, isOutage: true })
  })

  it('uses STARTTLS where the server has it, checks the certificate, and sends nothing without it if SMTP_URL requires it', async () => {
    const { key, cert } = selfSigned
    const secured: boolean[] = []
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { secure }, done) => {
      secured.push(secure)
      done()
    }
    const upgrading = await serverWith({ authOptional: true, key, cert, onMailFrom })
    const url = `smtp://127.0.0.1:${upgrading.port}`
    await mailer(`${url}?tls.rejectUnauthorized=false`).send(mail)
    await mailer(`${url}?requireTLS=true&tls.rejectUnauthorized=false`).send(mail)
    expect(secured).toEqual([true, true])
    expect(await failureOf(mailer(url).send(mail))).toMatchObject({ isOutage: true })

    const plain = await serverWith({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom,
    })
    const required = mailer(`smtp://127.0.0.1:${plain.port}?requireTLS=true`)
    expect(await failureOf(required.send(mail))).toMatchObject({ isOutage: true })
    expect(secured).toHaveLength(2)
  })

  it('does not take a silent recipient for an outage, and sends other mails meanwhile', async () => {
    let isSilent = () => {}
    const silent = new Promise<void>((resolve) => (isSilent = resolve))
    const { port, mails } = await serverWith({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('silent') ? isSilent() : done(),
    })
    const impatient = mailer(`smtp://127.0.0.1:${port}`, { silenceMs: 1_000 })
    const failing = failureOf(impatient.send({ ...mail, to: 'silent@example.com' }))
    await silent
    await impatient.send(mail)
    expect(mails).toHaveLength(1)
    expect(await failing).toMatchObject({ isOutage: false, isUnanswered: false, isRefused: false })
  })

  it.each([
    ['does not answer', () => undefined],
    ['closes the connection', (socket: Socket) => socket.destroy()],
  ])('does not know the outcome if the server gets the mail and %s', async (_what, end) => {
    const server = createServer((socket) => {
      let isContent = false
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (isContent) {
          if (text.endsWith('\r\n.\r\n')) end(socket)
          return
        }
        isContent = text.startsWith('DATA')
        socket.write(isContent ? '354 Go ahead\r\n' : '250 Yes\r\n')
      })
      socket.write('220 A server\r\n')
    })
    const port = await listening(server)
    const sender = mailer(`smtp://127.0.0.1:${port}`, { silenceMs: 300 })
    expect(await failureOf(sender.send(mail))).toMatchObject({
      isUnanswered: true,
      isOutage: false,
      codes: expect.stringContaining('no answer to the mail'),
    })
  })

  it('ends a mail whose server answers endlessly', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('220 A server\r\n')
      const trickle = setInterval(() => socket.write('250-More follows\r\n'), 20)
      socket.on('close', () => clearInterval(trickle))
    })
    const port = await listening(server)
    const sender = mailer(`smtp://127.0.0.1:${port}`, { mailMs: 500 })
    expect(await failureOf(sender.send(mail))).toMatchObject({
      isUnanswered: false,
      isRefused: false,
      codes: 'EABORT',
    })
  })

  it.each([
    [
      'a recipient that does not exist',
      550,
      '5.1.1 No such mailbox',
      { isAddressRefused: true, isRefused: true, isOutage: false },
    ],
    ...['5.7.1 Relaying denied', '5.7.54 Unable to relay', 'relay not permitted'].map(
      (text) =>
        [
          `a server that takes no mail from this sender (${text})`,
          550,
          text,
          { isAddressRefused: false, isRefused: true, isOutage: false },
        ] as const,
    ),
    ['a busy mailbox', 451, 'Busy', { isAddressRefused: false, isRefused: false, isOutage: false }],
    ['a server that closes the connection', 421, 'Closing', { isRefused: false, isOutage: true }],
  ])('reports %s', async (_what, responseCode, text, kind) => {
    const { port } = await serverWith({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error(text), { responseCode })),
    })
    expect(await failureOf(mailer(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject(kind)
  })

  it('reports a dead server and one that hangs up as outages', async () => {
    const dead = await failureOf(mailer(`smtp://127.0.0.1:${await freePort()}`).send(mail))
    expect(dead).toMatchObject({ isRefused: false, isOutage: true })
    const port = await listening(createServer((socket) => socket.end()))
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
    const limited = mailer(`smtp://127.0.0.1:${port}`, { turns: createMailTurns(10) })
    const start = performance.now()
    for (let n = 0; n < 25; n += 1)
      await limited.send({ ...mail, messageId: `event-${n}@a.example` })
    // 10 per second: the 21st mail begins in the third second.
    expect((times[20] ?? 0) - start).toBeGreaterThan(1_900)
  })
})
