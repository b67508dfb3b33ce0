import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientReminderStream, clientStream } from '#services/foundation/stream-names'
import { createCommandHandler } from '#services/commands/handle-command'
import { MailNotSent } from '#services/mail/mailer'
import { clientDecider } from '#services/receivables/client-decider'
import { clientReminderDecider } from '#services/receivables/reminders/reminder-decider'
import {
  linesOfClient,
  linesOfReminder,
} from '../../../scripts/billing/receivables/message-lines.ts'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import {
  createSendingSide,
  monday,
  type SendingSide,
} from '../../support/receivables/sending-side.ts'

const runBilling = billingInOneProcess()

let side: SendingSide
beforeAll(async () => {
  side = await createSendingSide()
}, 60_000)
afterAll(() => side?.close())

describe('billing receivables messages', () => {
  it('prints each message with its steps and reasons, and nothing of a person', async () => {
    side.setTime(monday)
    const merchantId = await side.addMerchant()
    const clientId = await side.addClient(merchantId)
    const receivableId = await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
    side.setTime('2026-11-02T14:30:00.000Z')
    await side.sendAll()
    side.answers.mail = async () => {
      throw new MailNotSent({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })
    }
    side.setTime('2026-11-09T14:30:00.000Z')
    await side.sendAll()
    const { store, codec, clock } = side
    const commands = createCommandHandler({ store, codec, clock, macKey })
    const reminders = linesOfReminder(
      await commands.loadEvents({
        decider: clientReminderDecider,
        stream: clientReminderStream(clientId),
      }),
    )
    const ofClient = await commands.loadEvents({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    const texts = [...ofClient.flatMap(linesOfClient), ...reminders].map(({ text }) =>
      text.replace(/message_[\w-]+/, 'message'),
    )
    expect(texts).toEqual([
      'ClientAdded  The client was added.',
      "ClientAddressBounced  The client's address for e-mails takes no messages (EENVELOPE, 550, RCPT TO).",
      'MessageDue message  An e-mail about 1 invoice was due. In the friendly tone.',
      'MessageSent message  The e-mail was sent to the client.',
      'MessageDue message  An e-mail about 1 invoice was due. In the firm tone.',
      'MessageNotSent message  The e-mail was not sent, because the address was refused for good (EENVELOPE, 550, RCPT TO).',
      expect.stringMatching(
        /^StepsSkipped {2}.*, because neither .* could reach the client\. Address bounced, no .*\.$/,
      ),
    ])
    const [due] = reminders
    expect(due?.details.join('\n')).toContain(
      `${receivableId}  2026-11-02  friendly e-mail, on the due date: On the due date.`,
    )
    expect(JSON.stringify(reminders)).not.toMatch(/@|Whitaker/)
  }, 30_000)

  it.each([
    [['--client', 'client_0a'], 'There is no client client_0a.'],
    [['--client', 'usr_1'], 'It must be the id of a client, such as client_0123'],
    [[], "required option '--client <id>' not specified"],
  ])(
    'refuses %j with a sentence',
    async (args, sentence) => {
      const { code, stderr } = await runBilling(
        {
          DATA_DIR: '/nonexistent',
          DATABASE_URL: side.database.connectionString,
          ADMIN_PASSWORD: 'a long password',
          ...sharedSecrets,
        },
        'receivables',
        'messages',
        ...args,
      )
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    },
    180_000,
  )
})

describe('billing receivables release', () => {
  it('lets clients and thanks go out that a restore held', async () => {
    const { pool } = side.database
    await pool.query(`UPDATE app.client_appointment SET next_attempt_at = 'infinity'`)
    await pool.query(
      `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision, dead_at)
       VALUES ('thanks', gen_random_uuid(), 'PaymentRecorded', 'receivable-1', 1, now())`,
    )
    const release = () =>
      runBilling(
        {
          DATA_DIR: '/nonexistent',
          DATABASE_URL: side.database.connectionString,
          ADMIN_PASSWORD: 'a long password',
          ...sharedSecrets,
        },
        'receivables',
        'release',
      )
    expect((await release()).stdout).toBe(
      'The messages to 1 client go out again, from the next sending hour on.\nThanks for payments that are tried again: 1.\n',
    )
    const { rows } = await pool.query(
      `SELECT count(*)::integer AS held FROM app.outbox WHERE dead_at IS NOT NULL`,
    )
    expect(rows).toEqual([{ held: 0 }])
    expect((await release()).stdout).toBe('No client waits since a restore.\n')
  }, 60_000)
})
