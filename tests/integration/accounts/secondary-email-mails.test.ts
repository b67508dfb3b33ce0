import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '#services/foundation/clock'
import { MailNotSent, type Mail } from '#services/mail/mailer'
import { linksAt } from '#services/notifications/links'
import { createPdfFiles } from '#services/start/pdf-files'
import { mailReactor } from '#services/notifications/mail-reactor'
import { testContext } from '../../support/data/test-context.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { testReturnTokens } from '../../support/mail/return-tokens.ts'
import { until } from '../../support/machine/until.ts'

let side: AuthSide
const sent: Mail[] = []
const attempts: string[] = []
/** The failure of the next mail to an address. */
const failures = new Map<string, MailNotSent>()

beforeAll(async () => {
  side = await startAuthSide()
  side.runReactors([
    mailReactor({
      commands: side.commands,
      store: { readStream: side.eventsOf },
      codec: side.codec,
      pool: side.pool,
      keys: side.erasing.keys,
      clock: systemClock,
      links: linksAt('http://localhost:3000'),
      receiptOf: async () => null,
      files: createPdfFiles().receipts,
      tokens: testReturnTokens,
      mailer: {
        async send(mail) {
          attempts.push(mail.to)
          const failure = failures.get(mail.to)
          failures.delete(mail.to)
          if (failure !== undefined) throw failure
          await side.mailer.send(mail)
          sent.push(mail)
        },
      },
    }),
  ])
}, 60_000)
afterAll(() => side?.close())

async function given(name: string) {
  const [primary, secondary] = [`${name}@example.com`, `${name}.second@example.com`]
  const { account } = await side.accounts.findOrOpen(primary, testContext())
  const { userId } = account
  return {
    primary,
    secondary,
    set: () => side.accounts.setSecondaryEmail(userId, secondary, testContext()),
    remove: () => side.accounts.removeSecondaryEmail(userId, testContext()),
    /** What is recorded about the mails. */
    outcomes: async () =>
      (await side.codec.decodeStream(await side.eventsOf(`notification-${userId}`))).map(
        ({ type, data }) => ({ type, data }),
      ),
    idsOf: async (type: string) =>
      (await side.eventsOf(`account-${userId}`))
        .filter((event) => event.type === type)
        .map(({ id }) => id),
  }
}
const mailsTo = (address: string) => sent.filter(({ to }) => to === address)
const arrived = (address: string, count: number) =>
  until(async () => mailsTo(address).length === count, `no ${count} mails to ${address}`)

describe('setting and removing a secondary e-mail', () => {
  it('is reported once to each address, with the id of the event', async () => {
    const { primary, secondary, set, remove, idsOf } = await given('dana')
    await set()
    await set()
    await arrived(primary, 1)
    await arrived(secondary, 1)
    await remove()
    await arrived(primary, 2)
    await arrived(secondary, 2)

    const [setId] = await idsOf('SecondaryEmailSet')
    const [removedId] = await idsOf('SecondaryEmailRemoved')
    expect(mailsTo(primary).map(({ messageId }) => messageId)).toEqual([
      `${setId}.primary@example.com`,
      `${removedId}.primary@example.com`,
    ])
    expect(mailsTo(secondary).map(({ messageId }) => messageId)).toEqual([
      `${setId}.secondary@example.com`,
      `${removedId}.secondary@example.com`,
    ])
    const [removedMail, setMail] = await inboxOf(side.addresses, primary).read()
    expect(setMail).toMatchObject({
      subject: 'A second sign-in address was added to your Agile Receivables account',
      text: expect.stringMatching(
        /dana\.second@example\.com was added [^]*Time: \w{3} \d+, \d{4}, .* UTC\n[^]*If you did not expect this change[^]*Write to support@/,
      ) as unknown,
    })
    expect(removedMail).toMatchObject({
      subject: 'A sign-in address was removed from your Agile Receivables account',
      text: expect.stringContaining('dana.second@example.com was removed') as unknown,
    })
    for (const { text } of await inboxOf(side.addresses, secondary).read())
      expect(text).not.toContain(primary)
  }, 30_000)

  it('is reported to one address once while the mail to the other is retried', async () => {
    const { primary, secondary, set } = await given('erin')
    failures.set(primary, new MailNotSent({ code: 'ECONNECTION' }))
    await set()
    await arrived(secondary, 1)
    await arrived(primary, 1)
    expect(attempts.filter((to) => to === primary)).toHaveLength(2)
    expect(attempts.filter((to) => to === secondary)).toHaveLength(1)
  }, 30_000)

  it('is recorded as not sent to an address that the mail server refuses for good', async () => {
    const { primary, secondary, set, outcomes } = await given('finn')
    failures.set(secondary, new MailNotSent({ responseCode: 550, command: 'RCPT TO' }))
    await set()
    await arrived(primary, 1)
    await until(async () => (await outcomes()).length === 2, 'the outcomes are not recorded')
    expect(await outcomes()).toMatchObject([
      { type: 'MailSent', data: { kind: 'secondary-email-added', to: primary, attempts: 1 } },
      {
        type: 'MailFailed',
        data: { recipient: 'secondary', to: secondary, why: 'refused', reason: '550, RCPT TO' },
      },
    ])
    expect(attempts.filter((to) => to === secondary)).toHaveLength(1)
  }, 30_000)
})
