import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { MailNotSent } from '#services/mail/mailer'
import {
  holdAppointments,
  releaseAppointments,
} from '#services/receivables/sending/client-appointments'
import { defaultSchedule } from '#services/receivables/schedule/schedule'
import { TextNotSent } from '#services/sms/text-sender'
import { testContext } from '../../support/data/test-context.ts'
import { endDebit, submitDebit } from '../../support/receivables/bank-debit.ts'
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
  side.texts.length = 0
  side.answers.mail = async () => undefined
  side.answers.text = async () => undefined
  side.answers.list = async () => undefined
})
afterAll(() => side?.close())

/** 9:30 in New York on this Monday, and minutes later. */
const sendingHour = '2026-11-02T14:30:00.000Z'
const dueToday = { dueDate: '2026-11-02' }

async function begin(): Promise<void> {
  side.setTime(monday)
  merchantId = await side.addMerchant()
}

const refused = () =>
  new MailNotSent({
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: 550,
    response: '550 5.1.1',
  })
const away = () => new MailNotSent({ code: 'ECONNREFUSED', command: 'CONN' })
const unanswered = () => new MailNotSent({ code: 'EABORT' }, { wasReceived: true })

describe('a message that is due', () => {
  it('goes out at the sending hour, once, and is recorded as it was sent', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, { ...dueToday, number: 'AD-1187' })
    await side.sendAll()
    expect(side.mails).toEqual([])
    expect(await side.dueAt(clientId)).toEqual(new Date(sendingHour))

    side.setTime(sendingHour)
    await side.sendAll()
    await side.sendAll()
    expect(side.mails).toHaveLength(1)
    const [mail] = side.mails
    expect(mail).toMatchObject({
      to: 'grace@whitaker.example',
      fromName: 'Alder Dental',
      replyTo: 'billing@alder.example',
      isAutomatic: true,
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    })
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(
      /^<http:\/\/localhost:3000\/pay\/[\w-]{43}\/unsubscribe\?to=[0-9a-f]{16}>$/,
    )
    const events = await side.eventsOf(clientId)
    expect(events.map(({ type }) => type)).toEqual(['MessageDue', 'MessageSent'])
    expect(events[0]?.data).toMatchObject({ cause: 'schedule', channel: 'mail', tone: 'friendly' })
    expect(events[1]?.data).toMatchObject({ subject: mail?.subject, body: mail?.text })
    expect(events[0]?.data).toMatchObject({ messageId: mail?.messageId?.replace(/@.*/, '') })
    // The next one: 3 days later.
    expect(await side.dueAt(clientId)).toEqual(new Date('2026-11-05T14:30:00.000Z'))
  })

  it('does not go out once the invoice was paid, also between the decision and the sending', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    const receivableId = await side.addInvoice(merchantId, clientId, dueToday)
    const other = await side.addClient(merchantId, { email: 'other@whitaker.example' })
    const paid = await side.addInvoice(merchantId, other, dueToday)
    await side.sendAll()
    await side.pay(merchantId, paid)
    side.setTime(sendingHour)
    const process = side.process()
    // The second reading is the one before the sending.
    let reads = 0
    await side.sendAll({
      ...process,
      known: {
        ...process.known,
        async merchantOf(id) {
          reads += 1
          if (reads > 1 && (await side.typesOf(clientId)).length === 1)
            await side.pay(merchantId, receivableId)
          return process.known.merchantOf(id)
        },
      },
    })
    expect(side.mails).toEqual([])
    expect(await side.typesOf(other)).toEqual([])
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageNotSent'])
    expect((await side.eventsOf(clientId))[1]?.data).toMatchObject({ why: 'outdated' })
  })

  it('waits while a payment of the invoice is on its way, and goes out after it failed', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    const receivableId = await side.addInvoice(merchantId, clientId, {
      ...dueToday,
      amount: 5_000,
    })
    const debit = await submitDebit(side, { merchantId, clientId }, { receivableId, amount: 5_000 })
    side.setTime(sendingHour)
    await side.sendAll()
    expect(side.mails).toEqual([])
    expect(await side.dueAt(clientId)).toBeNull()
    expect(await side.byHand.preview(merchantId, clientId)).toEqual({
      message: null,
      refused:
        'A payment of the client is on its way, and a bank debit takes days. Wait until it arrives or fails.',
    })

    side.setTime('2026-11-03T16:00:00.000Z')
    await endDebit(side, debit, 'failed')
    await side.sendAll()
    expect(side.mails).toEqual([])
    side.setTime('2026-11-04T14:30:00.000Z')
    await side.sendAll()
    expect(side.mails).toHaveLength(1)
    const [due] = await side.eventsOf(clientId)
    expect(due?.data).toMatchObject({ steps: [{ offset: 0, delays: [{ kind: 'payment' }] }] })
  })

  it('never goes out if the payment on its way arrives', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    const receivableId = await side.addInvoice(merchantId, clientId, {
      ...dueToday,
      amount: 5_000,
    })
    const debit = await submitDebit(side, { merchantId, clientId }, { receivableId, amount: 5_000 })
    side.setTime('2026-11-04T16:00:00.000Z')
    await endDebit(side, debit, 'paid')
    await side.sendAll()
    expect(side.mails).toEqual([])
    expect(await side.dueAt(clientId)).toBeNull()
  })

  it('does not go out if reminders were turned off between the decision and the sending', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    side.setTime(sendingHour)
    const process = side.process()
    let reads = 0
    await side.sendAll({
      ...process,
      known: {
        ...process.known,
        async merchantOf(id) {
          reads += 1
          if (reads > 1 && (await side.typesOf(clientId)).length === 1)
            await side.actAsMerchant(merchantId, { type: 'turn-reminders-off' })
          return process.known.merchantOf(id)
        },
      },
    })
    expect(side.mails).toEqual([])
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageNotSent'])
    await side.actAsMerchant(merchantId, { type: 'turn-reminders-on' })
    side.setTime('2026-11-03T14:30:00.000Z')
    await side.sendAll()
    expect(side.mails).toHaveLength(1)
  })
})

describe('a mail server', () => {
  it('that refuses the address marks it as bounced, and the other channel follows', async () => {
    await begin()
    side.answers.mail = async () => {
      throw refused()
    }
    const clientId = await side.addClient(merchantId, {}, { mayText: true })
    await side.addInvoice(merchantId, clientId, dueToday)
    side.setTime(sendingHour)
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual([
      'MessageDue',
      'MessageNotSent',
      'MessageDue',
      'MessageSent',
    ])
    expect(side.texts.map(({ to }) => to)).toEqual(['+12185550147'])
    const known = await side.receivables.clientOf(merchantId, clientId)
    expect(known?.state.bounced).toEqual({ mail: 'grace@whitaker.example', text: null })

    const alone = await side.addClient(merchantId, { phone: null })
    await side.addInvoice(merchantId, alone, dueToday)
    side.setTime('2026-11-03T14:30:00.000Z')
    await side.sendAll()
    const events = await side.eventsOf(alone)
    expect(events.at(-1)).toMatchObject({
      type: 'StepsSkipped',
      data: { why: { kind: 'no-channel', mail: 'bounced', text: 'no-address' } },
    })
  })

  it('that is away gets one try, and each message once it is back', async () => {
    await begin()
    let tries = 0
    side.answers.mail = async () => {
      tries += 1
      throw away()
    }
    const clients = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const clientId = await side.addClient(merchantId, { email: `${name}@whitaker.example` })
      await side.addInvoice(merchantId, clientId, dueToday)
      clients.push(clientId)
    }
    side.setTime(sendingHour)
    const process = side.process()
    await side.sendAll(process)
    expect(tries).toBeLessThanOrEqual(3)
    side.answers.mail = async () => undefined
    await side.endWaits()
    await side.sendAll({ ...process, outages: side.process().outages })
    expect(side.mails.map(({ to }) => to).toSorted()).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@whitaker.example`),
    )
  })

  it('that does not answer gets the mail once more, with the same Message-ID; then it is unknown', async () => {
    await begin()
    const ids: (string | undefined)[] = []
    side.answers.mail = async ({ messageId }) => {
      ids.push(messageId)
      throw unanswered()
    }
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    side.setTime(sendingHour)
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual(['MessageDue'])
    await side.endWaits()
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageRepeated'])
    await side.endWaits()
    await side.sendAll()
    const messageId = ids[0]?.replace(/@.*/, '') ?? ''
    const settle = () => side.byHand.settleUnknown(merchantId, clientId, messageId, testContext())
    expect(await settle()).toMatchObject({ kind: 'settled' })
    expect(await settle()).toEqual({
      kind: 'refused',
      sentence: 'This message needs nothing more. Refresh the page.',
    })
    expect(await side.typesOf(clientId)).toEqual([
      'MessageDue',
      'MessageRepeated',
      'MessageUnknown',
      'UnknownMessageSettled',
    ])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('that does not answer has its time also for a mail that was sent by hand', async () => {
    await begin()
    side.answers.mail = async () => {
      throw unanswered()
    }
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    await side.sendAll()
    const preview = await side.byHand.preview(merchantId, clientId)
    await side.byHand.sendNow(merchantId, clientId, preview?.message?.key ?? '', testContext())
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual(['MessageDue'])
    await side.endWaits()
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageRepeated'])
  })

  it('that does not answer and may have a mail that may not be repeated: it ends as unknown', async () => {
    await begin()
    side.answers.mail = async () => {
      throw unanswered()
    }
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    await side.readLog()
    const preview = await side.byHand.preview(merchantId, clientId)
    await side.byHand.sendNow(merchantId, clientId, preview?.message?.key ?? '', testContext())
    const merchant = side.merchants.get(merchantId)
    if (merchant === undefined) throw new Error('The merchant is missing.')
    side.merchants.set(merchantId, { ...merchant, isBlocked: true })
    await side.endWaits()
    await side.sendAll()
    side.merchants.set(merchantId, merchant)
    side.answers.mail = async () => undefined
    side.setTime('2026-11-03T14:30:00.000Z')
    await side.endWaits()
    await side.sendAll()
    expect((await side.typesOf(clientId)).at(-1)).toBe('MessageUnknown')
    expect(side.mails).toEqual([])
  })
})

describe('a text', () => {
  const textNow = async () => {
    await begin()
    const clientId = await side.addClient(merchantId, { email: null }, { mayText: true })
    await side.addInvoice(merchantId, clientId, dueToday)
    side.setTime(sendingHour)
    return clientId
  }

  it('that Twilio accepted without an answer is found in its list', async () => {
    const clientId = await textNow()
    side.answers.text = async ({ to, body }) => {
      side.texts.push({ to, body, sid: 'SMlate', at: side.clock.now() })
      throw new TextNotSent({ code: 'ECONNABORTED' })
    }
    await side.sendAll()
    await side.endWaits()
    await side.sendAll()
    expect(side.texts).toHaveLength(1)
    expect((await side.eventsOf(clientId)).at(-1)).toMatchObject({
      type: 'MessageSent',
      data: { providerId: 'SMlate', body: side.texts[0]?.body },
    })
  })

  it('is found in the list, also if the link to the client’s page was replaced meanwhile', async () => {
    const clientId = await textNow()
    side.answers.text = async ({ to, body }) => {
      side.texts.push({ to, body, sid: 'SMlate', at: side.clock.now() })
      throw new TextNotSent({ code: 'ECONNABORTED' })
    }
    await side.sendAll()
    await side.actOnClient(merchantId, clientId, { type: 'revoke-portal-link', generation: 0 })
    side.answers.text = async () => undefined
    for (let looks = 0; looks < 2; looks += 1) {
      await side.endWaits()
      await side.sendAll()
    }
    expect(side.texts).toHaveLength(1)
    expect((await side.eventsOf(clientId)).at(-1)).toMatchObject({
      type: 'MessageSent',
      data: { providerId: 'SMlate' },
    })
  })

  it('that is not in the list is sent again', async () => {
    const clientId = await textNow()
    side.answers.text = async () => {
      throw new TextNotSent({ code: 'ECONNRESET' })
    }
    await side.sendAll()
    side.answers.text = async () => undefined
    await side.endWaits()
    await side.sendAll()
    expect(side.texts).toHaveLength(1)
    expect(await side.typesOf(clientId)).toEqual([
      'MessageDue',
      'MessageNotSent',
      'MessageDue',
      'MessageSent',
    ])
  })

  it('ends as unknown if the list cannot be read, and is not repeated', async () => {
    const clientId = await textNow()
    side.answers.text = async () => {
      throw new TextNotSent({ code: 'ECONNRESET' })
    }
    side.answers.list = async () => {
      throw new TextNotSent({ status: 500 })
    }
    await side.sendAll()
    for (let looks = 0; looks < 6; looks += 1) {
      await side.endWaits()
      await side.sendAll()
    }
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageUnknown'])
    expect(side.texts).toEqual([])
  })

  it('to a phone that answered STOP ends the texts of all merchants to it', async () => {
    const clientId = await textNow()
    side.answers.text = async () => {
      throw new TextNotSent({ status: 400, code: 21_610 })
    }
    await side.sendAll()
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageNotSent', 'StepsSkipped'])
    expect(await side.stops.isPhoneStopped('+12185550147')).toBe(true)
    await side.stops.resumePhone('+12185550147', {
      commandId: 'start again',
      correlationId: 'test',
      actor: { kind: 'system', id: 'test' },
      source: 'system',
    })
  })
})

it('a message by hand to a client that stopped the e-mails is refused, and advises no way around', async () => {
  await begin()
  const email = 'stopped@whitaker.example'
  const clientId = await side.addClient(merchantId, { email, phone: null })
  await side.addInvoice(merchantId, clientId, dueToday)
  await side.readLog()
  const stop = { channel: 'mail', address: email } as const
  await side.stops.stopAddress(merchantId, stop, 'portal', testContext())
  const preview = await side.byHand.preview(merchantId, clientId)
  expect(preview?.refused).toBe(
    'This client has stopped your e-mails, and no text can reach it. Only the client can allow messages again.',
  )
})

describe('many clients', () => {
  it('of a merchant in its first week: as many a day as it may message, the rest later', async () => {
    await begin()
    await side.actAsMerchant(merchantId, {
      type: 'set-sending-limits',
      limits: { firstWeek: 3, later: 100 },
    })
    for (let index = 0; index < 7; index += 1) {
      const clientId = await side.addClient(merchantId, { email: `c${index}@whitaker.example` })
      await side.addInvoice(merchantId, clientId, dueToday)
    }
    const counts = []
    for (const day of ['02', '03', '04']) {
      side.setTime(`2026-11-${day}T14:30:00.000Z`)
      await side.sendAll()
      counts.push(side.mails.length)
    }
    expect(counts).toEqual([3, 6, 7])
    expect(new Set(side.mails.map(({ to }) => to)).size).toBe(7)
  })

  it('of a full day: the screens say the day on which each message goes out, and why', async () => {
    await begin()
    await side.actAsMerchant(merchantId, {
      type: 'set-sending-limits',
      limits: { firstWeek: 2, later: 2 },
    })
    const { steps, ...rest } = defaultSchedule
    const onTheDay = steps.filter(({ offset }) => offset === 0)
    await side.actAsMerchant(merchantId, {
      type: 'change-schedule',
      schedule: { ...rest, steps: onTheDay.map(({ since: _since, ...step }) => step) },
      timeZone: null,
      basedOn: 0,
    })
    const clients = []
    for (let index = 0; index < 9; index += 1) {
      const clientId = await side.addClient(merchantId, { email: `d${index}@whitaker.example` })
      await side.addInvoice(merchantId, clientId, dueToday)
      clients.push(clientId)
    }
    await side.sendAll()
    const said = new Map<string, string>()
    for (const clientId of clients) {
      const [first] = (await side.messagesOf.coming(merchantId, clientId)).messages
      const reason = first?.steps[0]?.reason ?? ''
      said.set(clientId, `${first?.day ?? ''} ${first?.tone ?? ''} ${reason}`)
    }
    for (const day of ['02', '03', '04', '05', '06']) {
      side.setTime(`2026-11-${day}T14:30:00.000Z`)
      await side.sendAll()
    }
    for (const clientId of clients) {
      const due = (await side.eventsOf(clientId)).find(({ type }) => type === 'MessageDue')
      expect(due?.data).toMatchObject({ day: said.get(clientId)?.slice(0, 10), tone: 'friendly' })
    }
    expect([...said.values()].toSorted().at(-1)).toBe(
      '2026-11-06 friendly On the due date. Your other clients take all messages of the day. It goes out on Fri, Nov 6. Your limit of 2 clients a day can delay it.',
    )
  })

  it('that waited for a place, which was given back later, say so and no catch-up', async () => {
    await begin()
    await side.actAsMerchant(merchantId, {
      type: 'set-sending-limits',
      limits: { firstWeek: 1, later: 1 },
    })
    const firm = { dueDate: '2026-10-26' }
    const clients = []
    for (let index = 0; index < 4; index += 1) {
      const clientId = await side.addClient(merchantId, { email: `e${index}@whitaker.example` })
      await side.addInvoice(merchantId, clientId, firm)
      clients.push(clientId)
    }
    side.setTime(sendingHour)
    await side.sendAll()
    await side.database.pool.query(
      'UPDATE app.merchant_day SET clients = 0 WHERE merchant_id = $1',
      [merchantId],
    )
    for (const day of ['03', '04', '05']) {
      side.setTime(`2026-11-${day}T14:30:00.000Z`)
      await side.sendAll()
    }
    const delays = []
    for (const clientId of clients) {
      const due = (await side.eventsOf(clientId)).find(({ type }) => type === 'MessageDue')
      if (due?.type !== 'MessageDue') throw new Error('No message was due.')
      const { tone, day, steps } = due.data
      delays.push([day, tone, ...steps.flatMap((each) => each.delays.map(({ kind }) => kind))])
    }
    expect(delays.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual([
      ['2026-11-02', 'firm'],
      ['2026-11-03', 'firm', 'merchant-limit'],
      ['2026-11-04', 'firm', 'merchant-limit'],
      ['2026-11-05', 'firm', 'merchant-limit'],
    ])
  })

  it('one of which refuses its mail after midnight gives the place of its own day back', async () => {
    await begin()
    const clientId = await side.addClient(merchantId, {
      email: 'late@whitaker.example',
      state: 'Hawaii',
    })
    await side.addInvoice(merchantId, clientId, dueToday)
    // 6:59 PM in New York.
    side.setTime('2026-11-02T23:59:00.000Z')
    side.answers.mail = async () => {
      side.setTime('2026-11-03T05:01:00.000Z')
      throw refused()
    }
    await side.database.pool.query(
      "INSERT INTO app.merchant_day (merchant_id, day, clients) VALUES ($1, '2026-11-03', 7)",
      [merchantId],
    )
    await side.sendAll()
    expect((await side.typesOf(clientId)).slice(0, 2)).toEqual(['MessageDue', 'MessageNotSent'])
    const { rows } = await side.database.pool.query<{ day: string; clients: number }>(
      'SELECT day::text AS day, clients FROM app.merchant_day WHERE merchant_id = $1 ORDER BY day',
      [merchantId],
    )
    expect(rows).toEqual([
      { day: '2026-11-02', clients: 0 },
      { day: '2026-11-03', clients: 7 },
    ])
  })

  it('and three processes: each client gets one message', async () => {
    await begin()
    const second = await side.addMerchant()
    for (let index = 0; index < 20; index += 1) {
      const owner = index % 4 === 0 ? second : merchantId
      const clientId = await side.addClient(owner, { email: `p${index}@whitaker.example` })
      await side.addInvoice(owner, clientId, dueToday)
    }
    side.setTime(sendingHour)
    await side.readLog()
    const processes = [side.process(), side.process(), side.process()]
    await Promise.all(processes.map((process) => side.sendAll(process)))
    expect(side.mails.map(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `p${index}@whitaker.example`).toSorted(),
    )
  })
})

it('a merchant with one client to look after gets one turn, not one of each lane', async () => {
  await begin()
  const clientId = await side.addClient(merchantId)
  await side.addInvoice(merchantId, clientId, { dueDate: '2027-03-01' })
  await side.readLog()
  const connect = jest.spyOn(side.database.pool, 'connect')
  await side.sendAll()
  // A statement outside of a transaction hands a callback in.
  const transactions = connect.mock.calls.filter(([callback]) => callback === undefined)
  connect.mockRestore()
  expect(transactions).toHaveLength(1)
})

describe('a clock', () => {
  it('that is set back sends nothing twice', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    side.setTime(sendingHour)
    await side.sendAll()
    side.setTime('2026-11-01T14:30:00.000Z')
    await side.sendAll()
    side.setTime(sendingHour)
    await side.sendAll()
    expect(side.mails).toHaveLength(1)
  })
})

describe('thanks', () => {
  it('follow the payment that settles an invoice, once, if the schedule says so', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    const quiet = await side.addInvoice(merchantId, clientId, dueToday)
    await side.pay(merchantId, quiet)
    await side.thank(quiet)
    expect(side.mails).toEqual([])

    const { steps, ...rest } = defaultSchedule
    await side.actAsMerchant(merchantId, {
      type: 'change-schedule',
      schedule: { ...rest, thanks: true, steps: steps.map(({ since: _since, ...step }) => step) },
      timeZone: null,
      basedOn: 0,
    })
    const receivableId = await side.addInvoice(merchantId, clientId, {
      ...dueToday,
      number: 'AD-1190',
    })
    await side.thank(receivableId)
    expect(side.mails).toEqual([])
    await side.pay(merchantId, receivableId)
    await side.thank(receivableId)
    await side.thank(receivableId)
    expect(side.mails).toHaveLength(1)
    expect(side.mails[0]).toMatchObject({
      to: 'grace@whitaker.example',
      fromName: 'Alder Dental',
      subject: 'Thank you: invoice AD-1190 is paid',
    })
    expect(side.mails[0]?.text).toContain('Thank you for your payment of $1,240.00.')
    expect(await side.typesOf(clientId)).toEqual(['ThanksSent'])
  })

  it('go by text at its hours in the words of the merchant, and once if no answer came', async () => {
    await begin()
    const clientId = await side.addClient(merchantId, { email: null }, { mayText: true })
    const { steps, ...rest } = defaultSchedule
    await side.actAsMerchant(merchantId, {
      type: 'change-schedule',
      schedule: { ...rest, thanks: true, steps: steps.map(({ since: _since, ...step }) => step) },
      timeZone: null,
      basedOn: 0,
    })
    await side.actAsMerchant(merchantId, {
      type: 'change-templates',
      changes: [
        {
          tone: 'thanks',
          channel: 'text',
          subject: null,
          body: 'We got {amount} for {invoices}: {link}',
          basedOn: 0,
        },
      ],
    })
    const receivableId = await side.addInvoice(merchantId, clientId, {
      ...dueToday,
      number: 'AD-1191',
    })
    // 9:00 PM in New York.
    side.setTime('2026-11-03T02:00:00.000Z')
    await side.pay(merchantId, receivableId)
    await side.thank(receivableId)
    expect(side.texts).toEqual([])
    side.setTime('2026-11-03T15:00:00.000Z')
    side.answers.text = async ({ to, body }) => {
      side.texts.push({ to, body, sid: 'SM_lost', at: side.clock.now() })
      throw new TextNotSent({ code: 'ECONNRESET' })
    }
    await expect(side.thank(receivableId)).rejects.toThrow('did not take the thanks')
    side.answers.text = async () => undefined
    await side.thank(receivableId, 2)
    await side.thank(receivableId, 3)
    expect(side.texts.map(({ body }) => body)).toEqual([
      expect.stringContaining('We got $1,240.00 for invoice AD-1191:'),
    ])
    expect((await side.eventsOf(clientId)).map(({ type, data }) => [type, data])).toMatchObject([
      ['ThanksSent', { channel: 'text', subject: null, to: '+12185550147' }],
    ])
  })
})

describe('after a restore', () => {
  it('nothing goes out to the known clients until an operator releases them', async () => {
    await begin()
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, dueToday)
    await side.readLog()
    expect(await holdAppointments(side.database.pool, 'It may have been sent.')).toBeGreaterThan(0)
    side.setTime(sendingHour)
    await side.addInvoice(merchantId, clientId, dueToday)
    await side.sendAll()
    expect(side.mails).toEqual([])
    expect(await releaseAppointments(side.database.pool)).toBeGreaterThan(0)
    expect(await releaseAppointments(side.database.pool)).toBe(0)
    await side.sendAll()
    expect(side.mails.filter(({ to }) => to === 'grace@whitaker.example')).not.toEqual([])
    expect(await side.typesOf(clientId)).toEqual(['MessageDue', 'MessageSent'])
  })
})
