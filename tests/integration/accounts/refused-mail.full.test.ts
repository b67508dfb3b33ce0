import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import { createLogger } from '#services/foundation/logger'
import { senderOf } from '#services/mail/sender'
import { createMailer, MailNotSent } from '#services/mail/mailer'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { startMailServer, type MailServer } from '../../support/product/mail-server.ts'

const mail = {
  to: 'dana@example.com',
  subject: 'A code',
  text: 'The code',
  html: '<p>The code</p>',
}

async function failureAt(port: number): Promise<unknown> {
  const mailer = createMailer(`smtp://127.0.0.1:${port}`, 'codes@example.com')
  try {
    return await mailer.send(mail).catch((error: unknown) => error)
  } finally {
    mailer.close()
  }
}

/** The failure at a server that answers every recipient with this code. */
async function failureAtServerThatRefuses(responseCode: number): Promise<unknown> {
  const server = await startMailServer()
  server.answerWith(() => responseCode)
  try {
    return await failureAt(server.port)
  } finally {
    await server.close()
  }
}

describe('a mail server', () => {
  it('that refuses the recipient fails the mail with its codes, without the address', async () => {
    const failure = await failureAtServerThatRefuses(552)
    expect(failure).toBeInstanceOf(MailNotSent)
    expect((failure as Error).message).toBe(
      'The mail server did not accept the mail (EENVELOPE, 552, RCPT TO). Check SMTP_URL and the mail server.',
    )
    expect((failure as Error).cause).toBeUndefined()
  })

  it('that has no such address fails the mail for good, and one whose mailbox is full does not', async () => {
    expect(await failureAtServerThatRefuses(550)).toMatchObject({ isAddressRefused: true })
    expect(await failureAtServerThatRefuses(552)).toMatchObject({ isAddressRefused: false })
    expect(await failureAt(1)).toMatchObject({ isAddressRefused: false })
  })

  it('that does not listen fails the mail with the code of the connection', async () => {
    expect(await failureAt(1)).toMatchObject({
      name: 'MailNotSent',
      message: expect.stringMatching(/\(ESOCKET|\(ECONN/) as unknown,
    })
  })
})

describe('a code', () => {
  const lines: string[] = []
  let server: MailServer
  let side: AuthSide
  let time = Date.now()
  beforeAll(async () => {
    server = await startMailServer()
    side = await startAuthSide({
      smtpPort: server.port,
      now: () => time,
      log: createLogger('trace', { write: (line: string) => void lines.push(line) }),
    })
    await side.startProjectors()
  }, 60_000)
  afterAll(async () => {
    await side?.close()
    await server?.close()
  })
  beforeEach(() => server.answerWith(() => null))

  type Client = ReturnType<AuthSide['client']>
  const request = (client: Client, email: string) => client.post('/api/auth/request-otp', { email })
  const verify = (client: Client, userId: unknown, otp: string) =>
    client.post('/api/auth/verify-otp', { userId, otp })
  const failed = { status: 502, body: { error: 'Failed to send OTP' } }

  async function opened(email: string): Promise<Client> {
    const client = side.client()
    await client.post('/api/auth/check-user', { email })
    return client
  }

  it('whose recipient is refused costs no resend, no wait and no try, and the code before it works', async () => {
    const email = 'refused@example.com'
    const client = await opened(email)
    const { body } = await request(client, email)
    const userId = body?.['userId']
    const code = server.codeFor(email)
    for (let n = 0; n < 4; n += 1) expect((await verify(client, userId, 'wrong')).status).toBe(400)

    server.answerWith(() => 550)
    time += 61_000
    for (let n = 0; n < 5; n += 1)
      expect(await request(client, email)).toEqual(expect.objectContaining(failed))
    expect(server.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
    expect((await side.eventsOf(`signIn-${String(userId)}`)).map(({ type }) => type)).toEqual([
      'CodeRequested',
      ...Array<string>(4).fill('CodeRefused'),
    ])
    expect(await verify(client, userId, code)).toMatchObject({ status: 200 })
  }, 30_000)

  it('that follows a refused one has the same resends left', async () => {
    const email = 'later@example.com'
    const client = await opened(email)
    expect((await request(client, email)).body).toMatchObject({ resendsLeft: 3 })
    time += 61_000
    server.answerWith(() => 450)
    expect(await request(client, email)).toEqual(expect.objectContaining(failed))
    server.answerWith(() => null)
    expect((await request(client, email)).body).toMatchObject({
      resendsLeft: 2,
      resendAfterSeconds: 60,
    })
  }, 30_000)

  it('is not sent by a dead server, and is sent at once when the server is back', async () => {
    const email = 'dead@example.com'
    const client = await opened(email)
    const { port } = server
    await server.close()
    for (let n = 0; n < 5; n += 1)
      expect(await request(client, email)).toEqual(expect.objectContaining(failed))
    server = await startMailServer(port)
    const { status, body } = await request(client, email)
    expect([status, body?.['resendsLeft']]).toEqual([200, 3])
    expect((await verify(client, body?.['userId'], server.codeFor(email))).status).toBe(200)
  }, 30_000)

  it('stays valid if the mail of an older code is refused after it', async () => {
    const email = 'slow@example.com'
    const client = await opened(email)
    let refuse = (): void => undefined
    const asked = new Promise<void>((isAsked) => {
      server.answerWith(
        () =>
          new Promise((resolve) => {
            refuse = () => resolve(550)
            isAsked()
          }),
      )
    })
    const slow = request(client, email)
    await asked
    time += 61_000
    server.answerWith(() => null)
    const { body } = await request(client, email)
    refuse()
    expect(await slow).toEqual(expect.objectContaining(failed))
    expect((await verify(client, body?.['userId'], server.codeFor(email))).status).toBe(200)
  }, 30_000)

  it('is in no line of the log at level trace, and neither is the address', async () => {
    lines.length = 0
    const email = 'quiet@example.com'
    const client = await opened(email)
    const { body } = await request(client, email)
    const code = server.codeFor(email)
    await verify(client, body?.['userId'], code === '000000' ? '111111' : '000000')
    server.answerWith(() => 550)
    time += 61_000
    await request(client, email)
    expect((await verify(client, body?.['userId'], code)).status).toBe(200)
    await client.get(`/api/auth/session?email=${email}`)
    await client.get(`/api/nothing-here?email=${email}`)
    await client.post('/api/auth/logout')

    const log = lines.join('')
    expect(log).toContain('A customer signed in.')
    expect(log).toContain('A sign-in code was refused.')
    expect(log).toContain('did not accept the mail (EENVELOPE, 550, RCPT TO)')
    expect(log).not.toContain('quiet')
    expect(log).not.toMatch(/\b\d{6}\b/)
  }, 30_000)
})

describe('a mail', () => {
  it('has the name and the address of its sender', async () => {
    const server = await startMailServer()
    const mailer = createMailer(
      `smtp://127.0.0.1:${server.port}`,
      senderOf({ ...brand, name: 'Tom "T", Sons' }),
    )
    await mailer.send(mail)
    mailer.close()
    await server.close()
    expect(server.mails[0]?.from).toEqual({
      name: 'Tom "T", Sons',
      address: 'no-reply@example.com',
    })
  })
})
