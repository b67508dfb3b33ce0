import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createMailTurns,
  createMailer,
  MailNotSent,
  type MailerOptions,
} from '#services/mail/mailer'
import { outboxStatus } from '#services/reactors/outbox'
import { createMailSide } from '../../support/product/mail-side.ts'
import { startMailServer } from '../../support/product/mail-server.ts'
import { startStrictMailServer } from '../../support/product/strict-mail-server.ts'
import { until } from '../../support/machine/until.ts'

/* The mails of an event over SMTP, to servers that limit mails, are slow or do not answer. */

let side: Awaited<ReturnType<typeof createMailSide>>
const closing: (() => Promise<unknown> | void)[] = []
beforeAll(async () => {
  side = await createMailSide()
}, 60_000)
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(() => side.close())

/** One process. */
function startMailing(url: string, options: MailerOptions = {}) {
  const mailer = createMailer(url, 'billing@example.com', {
    turns: createMailTurns(1_000),
    ...options,
  })
  closing.push(() => mailer.close())
  const mails = side.mailing((mail) => mailer.send(mail))
  closing.push(mails.start())
  return mails
}

const status = async () => (await outboxStatus(side.database.pool))[0]

describe('the mails of an event', () => {
  it('of a burst are each sent once by two processes to a server that answers 421 above its limits', async () => {
    await side.restart()
    const server = await startStrictMailServer({ perConnection: 20, refusesEvery: 5 })
    closing.push(server.close)
    const [one, two] = [startMailing(server.url), startMailing(server.url)]
    await side.started()
    const accounts = await Promise.all(Array.from({ length: 60 }, () => side.verifiedAccount()))
    await until(
      async () => server.messageIds.length >= accounts.length && (await status())?.waiting === 0,
      'mails are missing',
      100,
    )
    expect(server.messageIds).toHaveLength(accounts.length)
    expect(new Set(server.messageIds).size).toBe(accounts.length)
    expect(new Set([...one.accepted, ...two.accepted].map(({ to }) => to)).size).toBe(
      accounts.length,
    )
    expect(server.refusals()).toBeGreaterThan(0)
    expect(await status()).toMatchObject({ waiting: 0, dead: 0 })
  }, 120_000)

  it('are sent while the server leaves another recipient without an answer, whose mail is tried again', async () => {
    await side.restart()
    const server = await startMailServer()
    closing.push(() => server.close())
    let isSilent = true
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    server.answerWith(async (address) => {
      if (!isSilent || !address.startsWith('silent')) return null
      asked()
      return new Promise(() => {})
    })
    const mails = startMailing(`smtp://127.0.0.1:${server.port}`, { silenceMs: 3_000 })
    await side.started()
    const slow = await side.verifiedAccount('silent')
    await isAsked
    const others = await Promise.all(Array.from({ length: 10 }, () => side.verifiedAccount()))
    await until(
      () => others.every(({ email }) => mails.to(email).length === 1),
      'a mail to another recipient waits',
    )
    isSilent = false
    await until(() => mails.to(slow.email).length === 1, 'the mail is not tried again')
    await until(async () => (await status())?.waiting === 0, 'the outcome is not recorded')
    expect(await side.outcomesOf(slow.userId)).toMatchObject([{ type: 'MailSent', attempts: 2 }])
    expect(server.mails).toHaveLength(11)
  }, 60_000)

  it('are repeated once, with the same Message-ID, if the server received them and did not answer', async () => {
    await side.restart()
    const mails = side.mailing(async () => {
      throw new MailNotSent({ code: 'ETIMEDOUT', command: 'CONN' }, { wasReceived: true })
    })
    closing.push(mails.start())
    await side.started()
    const { userId } = await side.verifiedAccount()
    await until(async () => (await status())?.dead === 1, 'there is no dead letter')
    expect(mails.attempted).toHaveLength(2)
    expect(new Set(mails.attempted.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await side.outcomesOf(userId)).toMatchObject([
      {
        type: 'MailFailed',
        why: 'gave-up',
        attempts: 2,
        reason: 'ETIMEDOUT, CONN, no answer to the mail',
      },
    ])
  }, 60_000)
})
