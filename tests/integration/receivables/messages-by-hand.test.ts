import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { parseReceivableId, type ClientId, type UserId } from '#contracts/ids'
import { MailNotSent } from '#services/mail/mailer'
import { defaultSchedule } from '#services/receivables/schedule/schedule'
import { testContext } from '../../support/data/test-context.ts'
import {
  createSendingSide,
  monday,
  type SendingSide,
} from '../../support/receivables/sending-side.ts'

let side: SendingSide
let merchantId: UserId
beforeAll(async () => {
  side = await createSendingSide()
}, 60_000)
afterEach(() => {
  side.mails.length = 0
  side.answers.mail = async () => undefined
})
afterAll(() => side?.close())

async function owing(dueDate = '2026-10-20'): Promise<ClientId> {
  side.setTime(monday)
  merchantId = await side.addMerchant({ isOn: false })
  const clientId = await side.addClient(merchantId, { phone: null })
  await side.addInvoice(merchantId, clientId, { dueDate, number: 'AD-1187' })
  await side.readLog()
  return clientId
}

async function preview(clientId: ClientId) {
  const found = await side.byHand.preview(merchantId, clientId)
  if (found === null) throw new Error('There is no such client.')
  return found
}

const keyOf = async (clientId: ClientId) => (await preview(clientId)).message?.key ?? 'none'

describe('a message by hand', () => {
  it('is what the preview showed, and counts as the message of the day', async () => {
    const clientId = await owing()
    const { message, refused } = await preview(clientId)
    expect(refused).toBeNull()
    expect(message).toMatchObject({ channel: 'mail', tone: 'firm', to: 'grace@whitaker.example' })
    const key = message?.key ?? ''
    const sent = await side.byHand.sendNow(merchantId, clientId, key, testContext())
    expect(sent.kind).toBe('sent')
    expect(side.mails).toHaveLength(1)
    expect(side.mails[0]).toMatchObject({ subject: message?.subject, text: message?.body })
    expect((await preview(clientId)).refused).toContain('This client had a message today.')
    // Reminders come on: the steps that it ended do not come again.
    await side.actAsMerchant(merchantId, { type: 'turn-reminders-on' })
    side.setTime('2026-11-02T14:30:00.000Z')
    await side.sendAll()
    expect(side.mails).toHaveLength(1)
  })

  it('goes out once for two windows at the same time, and once for a repeated call', async () => {
    const clientId = await owing()
    const key = await keyOf(clientId)
    const call = testContext('the same call')
    const answers = await Promise.all([
      side.byHand.sendNow(merchantId, clientId, key, testContext()),
      side.byHand.sendNow(merchantId, clientId, key, testContext()),
      side.process().byHand.sendNow(merchantId, clientId, key, testContext()),
    ])
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'refused', 'sent'])
    expect(side.mails).toHaveLength(1)

    const other = await owing()
    const again = await keyOf(other)
    const first = await side.byHand.sendNow(merchantId, other, again, call)
    expect(await side.byHand.sendNow(merchantId, other, again, call)).toEqual(first)
    expect(side.mails).toHaveLength(2)
  })

  it('is not taken for one without an outcome while its mail server is slow', async () => {
    const clientId = await owing()
    const key = await keyOf(clientId)
    let accept: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      side.answers.mail = () => {
        resolve()
        return new Promise((accepted) => {
          accept = accepted
        })
      }
    })
    const sending = side.byHand.sendNow(merchantId, clientId, key, testContext())
    await asked
    await side.sendAll(side.process())
    accept()
    expect((await sending).kind).toBe('sent')
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageSent'])
  })

  it('is not sent if something changed since the preview', async () => {
    const clientId = await owing()
    const key = await keyOf(clientId)
    await side.addInvoice(merchantId, clientId, { dueDate: '2026-10-21' })
    await side.readLog()
    expect(await side.byHand.sendNow(merchantId, clientId, key, testContext())).toEqual({
      kind: 'refused',
      sentence: 'Something changed meanwhile, so nothing was sent. Look at the preview again.',
    })
    expect(side.mails).toEqual([])
  })

  it('is refused with what to do, and the limits stay as they were', async () => {
    const clientId = await owing()
    const key = await keyOf(clientId)
    side.answers.mail = async () => {
      throw new MailNotSent({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 })
    }
    expect(await side.byHand.sendNow(merchantId, clientId, key, testContext())).toMatchObject({
      kind: 'refused',
    })
    side.answers.mail = async () => undefined
    expect((await preview(clientId)).refused).toBeNull()
    await side.actAsMerchant(merchantId, { type: 'stop-sending', reason: 'A complaint' })
    expect((await preview(clientId)).refused).toContain('Please contact support.')
    await side.actAsMerchant(merchantId, { type: 'allow-sending' })
    await side.actOnClient(merchantId, clientId, { type: 'hold-client', reason: 'x', until: null })
    expect((await preview(clientId)).refused).toContain('waits for the end of a hold')
  })

  it('of another merchant’s client is not found', async () => {
    const clientId = await owing()
    const stranger = await side.addMerchant()
    expect(await side.byHand.preview(stranger, clientId)).toBeNull()
    expect(await side.byHand.sendNow(stranger, clientId, 'shown_1', testContext())).toEqual({
      kind: 'not-found',
    })
    expect(side.mails).toEqual([])
  })
})

describe('a skipped step', () => {
  it('ends without a message, and a repeat changes nothing', async () => {
    const clientId = await owing('2026-11-02')
    const known = await side.known.clientOf(await side.known.merchantOf(merchantId), clientId)
    const [receivable] = known?.parts.receivables ?? []
    const onTheDay = defaultSchedule.steps.find(({ offset }) => offset === 0)?.stepId ?? ''
    const of = { clientId, receivableId: parseReceivableId(receivable?.receivableId ?? '') }
    const skip = (repetition: number) =>
      side.byHand.skipStep(merchantId, of, { stepId: onTheDay, repetition }, testContext())
    expect(await skip(3)).toEqual({ kind: 'not-found' })
    expect(await skip(0)).toEqual({ kind: 'skipped' })
    expect(await skip(0)).toEqual({ kind: 'skipped' })
    expect((await side.eventsOf(clientId)).map(({ type }) => type)).toEqual(['StepsSkipped'])
    await side.actAsMerchant(merchantId, { type: 'turn-reminders-on' })
    side.setTime('2026-11-02T14:30:00.000Z')
    await side.sendAll()
    // The step of 3 days before is still open, and catches up.
    const sent = (await side.eventsOf(clientId)).find(({ type }) => type === 'MessageDue')
    expect(JSON.stringify(sent?.data)).not.toContain(onTheDay)
  })
})
