import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import type { DunningDay } from '#contracts/dunning'
import { billingStream, dunningStream } from '#services/foundation/stream-names'
import { MailNotSent } from '#services/mail/mailer'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createMailSide } from '../../support/product/mail-side.ts'
import { mailSideKey } from '../../support/product/mail-side-key.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { until } from '../../support/machine/until.ts'

/* What an operator sees of unsent mails, and does about those whose last attempt failed. */

let side: Awaited<ReturnType<typeof createMailSide>>
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let isRefusing = true
let untilReleased: Promise<void> | null = null
let stop: () => Promise<void>
let mails: ReturnType<typeof side.mailing>

beforeAll(async () => {
  side = await createMailSide()
  directory = await temporaryDirectory()
  mails = side.mailing(async () => {
    await untilReleased
    if (isRefusing) throw new MailNotSent({ code: 'EMESSAGE', responseCode: 554, command: 'DATA' })
  })
  stop = mails.start()
  await side.started()
}, 60_000)
afterAll(async () => {
  await stop()
  await directory.remove()
  await side.close()
})

const notifications = (...args: readonly string[]) =>
  runBilling(
    {
      DATA_DIR: directory.path,
      DATABASE_URL: side.database.connectionString,
      MASTER_KEY: mailSideKey.toString('hex'),
      EMAIL_HMAC_KEY: mailSideKey.toString('hex'),
    },
    'notifications',
    ...args,
  )

const entries = async (where: string, value: string) => {
  const { rows } = await side.database.pool.query<{ eventId: string; isDead: boolean }>(
    `SELECT event_id AS "eventId", dead_at IS NOT NULL AS "isDead" FROM app.outbox
     WHERE done_at IS NULL AND ${where} = $1`,
    [value],
  )
  return rows
}

/** Waits for the dead letter of a stream, and returns its event. */
async function deadLetterOf(stream: string): Promise<string> {
  const dead = async () => (await entries('stream', stream)).find(({ isDead }) => isDead)
  await until(async () => (await dead()) !== undefined, 'there is no dead letter')
  return (await dead())?.eventId ?? ''
}

async function remind(userId: UserId, day: DunningDay, startedAt: string) {
  await side.commands.record({
    stream: dunningStream(userId),
    event: {
      type: 'DunningReminderDue',
      data: { ...samplePayloads.DunningReminderDue, day, startedAt },
      occurredAt: side.clock.now().toISOString(),
    },
    context: testContext(),
  })
}

describe('an operator', () => {
  it('reads what the commands do, and what is wrong with an event', async () => {
    const [help, unknown, malformed, ambiguous] = await Promise.all([
      notifications('retry', '--help'),
      notifications('retry', '7a3b1e9c-5b0f-4a5c-8f43-0d1f2a3b4c5d'),
      notifications('retry', 'welcome'),
      notifications('retry'),
    ])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('Give a dead letter one more attempt.')
    expect(help.stdout).toMatch(/event id +the event of a dead letter, as the list shows it\n/)
    expect(help.stdout).toMatch(/--all +every dead letter\n/)
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain(
      "There is no dead letter of event 7a3b1e9c-5b0f-4a5c-8f43-0d1f2a3b4c5d. 'billing notifications list --dead' lists the dead letters.",
    )
    expect(malformed.code).not.toBe(0)
    expect(malformed.stderr).toContain('It must be the id of an event, as the list shows it.')
    expect(ambiguous.code).not.toBe(0)
    expect(ambiguous.stderr).toContain('Name the event of one dead letter, or use --all.')
  }, 60_000)

  it('gives a dead letter one attempt if two operators retry it at the same time', async () => {
    const { userId, email } = await side.verifiedAccount()
    const eventId = await deadLetterOf(`account-${userId}`)
    const { stdout } = await notifications('list', '--dead')
    expect(stdout).toMatch(
      new RegExp(`${eventId} {2}mails {2}EmailVerified .*dead letter after 1 attempt: .*554`),
    )

    isRefusing = false
    const attempts = mails.attempted.length
    const lock = await side.database.pool.connect()
    await lock.query('BEGIN')
    await lock.query('SELECT 1 FROM app.outbox WHERE event_id = $1 FOR UPDATE', [eventId])
    const both = [notifications('retry', eventId), notifications('retry', eventId)]
    const bothWait = async () =>
      (
        await side.database.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE app.outbox%'`,
        )
      ).rowCount === 2
    await until(bothWait, 'the operators do not retry at the same time', 60)
    await lock.query('COMMIT')
    lock.release()
    const [first, second] = (await Promise.all(both)).toSorted(
      (one, other) => (one.code ?? 2) - (other.code ?? 2),
    )
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 dead letter is due again\. /),
    })
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second?.stderr).toMatch(
      new RegExp(
        `There is no dead letter of event ${eventId}\\. Its message (is due again already: 'billing notifications list' shows|has an outcome, which the user's history shows)`,
      ),
    )
    await until(async () => (await entries('event_id', eventId)).length === 0, 'it is not sent')
    expect(mails.to(email)).toHaveLength(1)
    expect(mails.attempted).toHaveLength(attempts + 1)

    expect((await notifications('retry', eventId)).stderr).toContain('Its message has an outcome')
    expect(await notifications('retry', '--all')).toMatchObject({
      code: 0,
      stdout: 'There is no dead letter.\n',
    })
  }, 90_000)

  it('sees which message a running product is sending, and which one waits', async () => {
    isRefusing = false
    let release = () => {}
    untilReleased = new Promise((resolve) => {
      release = resolve
    })
    try {
      const { userId, email } = await side.verifiedAccount()
      const stream = `account-${userId}`
      await until(() => mails.attempted.some(({ to }) => to === email), 'it is not attempted')
      // No reactor of this test sends texts.
      await side.database.pool.query(
        `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision)
         SELECT 'texts', event_id, event_type, stream, revision FROM app.outbox WHERE stream = $1`,
        [stream],
      )
      const listed = async () =>
        (await notifications('list')).stdout.match(/(mails|texts) .*$/gm)?.toSorted()
      const text = `texts  EmailVerified  ${stream}  waits`
      expect(await listed()).toEqual([`mails  EmailVerified  ${stream}  in progress`, text])
      release()
      await until(() => mails.to(email).length === 1, 'it is not sent')
      await until(async () => (await entries('stream', stream)).length === 1, 'it has no outcome')
      expect(await listed()).toEqual([text])
    } finally {
      release()
      untilReleased = null
      await side.database.pool.query("DELETE FROM app.outbox WHERE reactor = 'texts'")
    }
  }, 60_000)

  it('sends no payment reminder by a retry after a later one of the invoice', async () => {
    isRefusing = false
    const { userId, email } = await side.verifiedAccount()
    await until(() => mails.to(email).length === 1, 'the welcome is not sent')
    for (const event of [
      { type: 'SubscriptionStarted', data: samplePayloads.SubscriptionStarted },
      { type: 'PaymentFailed', data: samplePayloads.PaymentFailed },
    ] as const)
      await side.commands.record({
        stream: billingStream(userId),
        event: { ...event, occurredAt: side.clock.now().toISOString() },
        context: testContext(),
      })
    await until(() => mails.to(email).length === 2, 'the subscription is not confirmed')

    isRefusing = true
    const startedAt = side.clock.now().toISOString()
    await remind(userId, 0, startedAt)
    const eventId = await deadLetterOf(dunningStream(userId))
    expect((await notifications('list', '--dead')).stdout).toContain(
      `${eventId}  mails  DunningReminderDue of day 0  ${dunningStream(userId)}  dead letter`,
    )
    isRefusing = false
    side.time.now += 3 * 86_400_000
    await remind(userId, 3, startedAt)
    await until(() => mails.to(email).length === 3, 'the later reminder is not sent')
    expect((await notifications('retry', eventId)).stdout).toMatch(/^1 dead letter is due again\. /)
    await until(async () => (await entries('event_id', eventId)).length === 0, 'it has no outcome')
    expect(mails.to(email).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Welcome/),
      expect.stringMatching(/^Subscription activated/),
      expect.stringMatching(/^Reminder: your payment/),
    ])
    expect((await side.outcomesOf(userId)).slice(2)).toMatchObject([
      { type: 'MailFailed', why: 'gave-up', attempts: 1 },
      { type: 'MailSent', kind: 'payment-failed' },
      {
        type: 'MailFailed',
        kind: 'payment-failed',
        why: 'outdated',
        reason: 'the next reminder is due',
        attempts: 1,
      },
    ])
  }, 60_000)
})
