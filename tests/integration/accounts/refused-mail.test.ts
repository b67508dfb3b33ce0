import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { SMTPServer } from 'smtp-server'
import { createMailer, MailNotSent } from '#services/mail/mailer'

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
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`<${address}>: mailbox is full`), { responseCode })),
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  try {
    return await failureAt(port)
  } finally {
    server.close()
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
