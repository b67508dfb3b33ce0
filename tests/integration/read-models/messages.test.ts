import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ClientEvent } from '#contracts/events/client'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { schemaOf } from '#projections/engine/read-model'
import { receivables } from '#projections/receivables/read-model'
import { messageRow, stepRow } from '#projections/receivables/message-rows'
import { allRows } from '#services/foundation/rows'
import {
  evolveReminder,
  initialReminderState,
  type ReminderState,
} from '#services/receivables/reminders/reminder-state'
import { evolveClient, type ClientState } from '#services/receivables/client-state'
import { remindedClient } from '#services/receivables/sending/known-client'
import { remindedReceivable } from '#services/receivables/reminders/reminded-receivable'
import { submittedPayments } from '#services/receivables/reminders/submitted-payments'
import { forecastClientOf } from '#services/receivables/schedule/owing-client'
import { clientsQuery } from '#contracts/receivables/clients'
import { clientsPage } from '#projections/receivables/queries/list-clients'
import { needsYou } from '#projections/receivables/queries/needs-you'
import { stepResults } from '#projections/receivables/queries/step-results'
import { owingClients } from '#projections/receivables/queries/reminded-clients'
import { invoicesQuery } from '#contracts/receivables/invoices'
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { noStepLeft, type LeftStep } from '#projections/receivables/queries/no-step-left'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { lifeOf } from '../../support/receivables/lives.ts'
import { day, newYork } from '../../support/receivables/reminders.ts'

const db = sharedReadModelFixture()
const schema = schemaOf(receivables)
const merchantId = 'usr_alder'
const clientId = 'client_grace'
const receivableId = 'receivable_6c1f9a2e-8a52-5f0e-9d55-000000000001'
const otherId = 'receivable_6c1f9a2e-8a52-5f0e-9d55-000000000002'
const of = { merchantId, clientId }

let revision = 0
const ofClient = (event: ClientEvent) =>
  recorded(`client-${clientId}`, event, { revision: (revision += 1) })
const added = ofClient({ type: 'ClientAdded', data: { ...samplePayloads.ClientAdded, ...of } })
const invoice = recorded(`receivable-${receivableId}`, {
  type: 'ReceivableAdded',
  data: { ...samplePayloads.ReceivableAdded, ...of, receivableId },
} satisfies ReceivableEvent)
const reminder = (event: ClientReminderEvent, occurredAt?: string) =>
  recorded(`clientReminder-${clientId}`, event, {
    revision: (revision += 1),
    ...(occurredAt === undefined ? {} : { occurredAt }),
  })

const step = (offset: number) => ({
  receivableId,
  stepId: `step ${offset}`,
  repetition: 0,
  offset,
  channel: 'mail' as const,
  tone: 'firm' as const,
  dueDay: '2026-11-20',
})
const due = (
  messageId: string,
  offset = 7,
  replaced: readonly number[] = [],
  occurredAt?: string,
) =>
  reminder(
    {
      type: 'MessageDue',
      data: {
        ...of,
        messageId,
        day: '2026-11-20',
        merchantDay: '2026-11-20',
        cause: 'schedule',
        channel: 'mail',
        tone: 'firm',
        to: 'g.whitaker@postbox.example',
        steps: [{ ...step(offset), delays: [{ kind: 'one-a-day' }] }],
        replaced: replaced.map(step),
      },
    },
    occurredAt,
  )
const sent = (messageId: string) =>
  reminder({
    type: 'MessageSent',
    data: {
      ...of,
      messageId,
      channel: 'mail',
      subject: 'Invoice AD-1187',
      body: 'Dear Grace',
      providerId: null,
    },
  })
const unknown = (messageId: string) =>
  reminder({
    type: 'MessageUnknown',
    data: { ...of, messageId, channel: 'mail', reason: 'no answer, twice' },
  })
const bounced = ofClient({
  type: 'ClientAddressBounced',
  data: { ...samplePayloads.ClientAddressBounced, ...of, channel: 'mail' },
})

/** No payment that takes days, one on its way, one that failed, and one that arrived. */
function payingEvents(id: string, index: number) {
  const checkoutId = `checkout_${index}`
  const ofCheckout = { ...of, checkoutId }
  const events: readonly ClientEvent[] = [
    {
      type: 'ClientCheckoutStarted',
      data: {
        ...samplePayloads.ClientCheckoutStarted,
        ...ofCheckout,
        items: [{ receivableId: id, amount: 100 }],
      },
    },
    { type: 'ClientCheckoutSubmitted', data: ofCheckout },
    index % 4 === 2
      ? {
          type: 'ClientCheckoutClosed',
          data: { ...samplePayloads.ClientCheckoutClosed, ...ofCheckout },
        }
      : {
          type: 'ClientPaymentReceived',
          data: { ...samplePayloads.ClientPaymentReceived, ...ofCheckout },
        },
  ]
  return events.slice(0, [0, 2, 3, 3][index % 4]).map((event, place) =>
    recorded(`client-${clientId}`, event, {
      revision: (revision += 1),
      occurredAt: new Date(Date.UTC(2026, 1, 1, index, place)).toISOString(),
    }),
  )
}

const messages = () =>
  allRows(db.pool, messageRow, `SELECT * FROM ${schema}.message ORDER BY message_id`, [])
const steps = () =>
  allRows(db.pool, stepRow, `SELECT * FROM ${schema}.reminded_step ORDER BY offset_days`, [])

describe('the messages of a client', () => {
  it('a sent message ends its steps, and those that it replaced', async () => {
    await db.given(receivables, [added, invoice, due('m1', 7, [0, 3]), sent('m1')], 2)
    expect(await messages()).toMatchObject([
      { message_id: 'm1', state: 'sent', day: '2026-11-20', receivable_ids: [receivableId] },
    ])
    expect(await steps()).toMatchObject([
      { offset_days: 0, outcome: 'replaced', message_id: 'm1', delays: [] },
      { offset_days: 3, outcome: 'replaced' },
      { offset_days: 7, outcome: 'sent', delays: [{ kind: 'one-a-day' }], skip: null },
    ])
  })

  it('a message that was not sent ends no step', async () => {
    const notSent = reminder({
      type: 'MessageNotSent',
      data: { ...of, messageId: 'm1', channel: 'mail', why: 'refused', reason: '550' },
    })
    await db.given(receivables, [added, invoice, due('m1'), notSent])
    expect(await messages()).toMatchObject([{ state: 'not-sent', why: 'refused' }])
    expect(await steps()).toEqual([])
  })

  it('an unknown outcome needs the merchant until a later message went out', async () => {
    const events = [added, invoice, due('m1'), unknown('m1')]
    await db.given(receivables, events)
    expect(await messages()).toMatchObject([{ state: 'unknown', needs_you: true }])
    expect(await steps()).toMatchObject([{ outcome: 'skipped', skip: { kind: 'unknown' } }])
    const settled = reminder({ type: 'UnknownMessageSettled', data: { ...of, messageId: 'm1' } })
    await db.given(receivables, [...events, settled])
    expect(await messages()).toMatchObject([{ state: 'unknown', needs_you: false }])
    await db.given(receivables, [...events, due('m2', 14), sent('m2')], 4)
    expect(await messages()).toMatchObject([
      { state: 'unknown', needs_you: false },
      { state: 'sent', needs_you: false },
    ])
  })

  it('a mail that came back stays the message that was sent', async () => {
    const returned = reminder({
      type: 'MessageReturned',
      data: { ...of, messageId: 'm1', reason: '5.1.1' },
    })
    await db.given(receivables, [added, invoice, due('m1'), sent('m1'), returned])
    expect(await messages()).toMatchObject([{ state: 'returned' }])
    expect(await steps()).toMatchObject([{ outcome: 'sent' }])
  })

  it('the last step of an invoice follows from its messages, whichever event comes first', async () => {
    const last = () =>
      allRows(
        db.pool,
        messageRow.pick({ message_id: true }).partial().loose(),
        `SELECT last_step FROM ${schema}.receivable`,
        [],
      )
    const sending = [due('m1', 7), sent('m1'), due('m2', 3), sent('m2')]
    for (const log of [
      [added, invoice, ...sending],
      [added, ...sending, invoice],
    ] satisfies RecordedEvent[][]) {
      await db.given(receivables, log, 2)
      expect(await last()).toEqual([{ last_step: 7 }])
    }
  })

  it('a message without its beginning is a damaged log', async () => {
    await expect(db.given(receivables, [added, sent('m1')])).rejects.toThrow('no MessageDue')
  })
})

describe('an address that bounced', () => {
  const marks = () =>
    allRows(
      db.pool,
      messageRow.pick({ client_id: true }).loose(),
      `SELECT client_id, mail_bounced, text_bounced FROM ${schema}.client`,
      [],
    )
  const changed = (email: string | null) =>
    ofClient({
      type: 'ClientChanged',
      data: {
        ...samplePayloads.ClientChanged,
        ...of,
        before: samplePayloads.ClientAdded.details,
        after: { ...samplePayloads.ClientAdded.details, email },
      },
    })

  it('is marked until the client has another one', async () => {
    await db.given(receivables, [added, bounced])
    expect(await marks()).toMatchObject([{ mail_bounced: true, text_bounced: false }])
    const listed = await clientsPage(
      db.pool,
      merchantId,
      clientsQuery.parse({ filter: 'bounced' }),
      day('2026-11-25'),
    )
    expect(listed).toMatchObject({ total: 1, items: [{ clientId, hasBounced: true }] })
    await db.given(receivables, [added, bounced, changed('other@postbox.example')])
    expect(await marks()).toMatchObject([{ mail_bounced: false }])
    await db.given(receivables, [added, bounced, changed(samplePayloads.ClientAdded.details.email)])
    expect(await marks()).toMatchObject([{ mail_bounced: true }])
  })
})

describe('what needs the merchant', () => {
  const today = day('2026-11-25')
  const kinds = async () =>
    (await needsYou(db.pool, merchantId, today)).rows.map(({ kind, sentence, number, amount }) => ({
      kind,
      sentence,
      number,
      amount,
    }))

  it('a bounced address of a client that owes something, with what else reaches it', async () => {
    await db.given(receivables, [added, invoice, bounced])
    expect(await kinds()).toEqual([
      {
        kind: 'bounced',
        sentence:
          'g.whitaker@postbox.example refused messages for good. Nothing else reaches the client. Correct the address.',
        number: null,
        amount: 124_000,
      },
    ])
    await db.given(receivables, [added, bounced])
    expect(await kinds()).toEqual([])
  })

  it('a credit that owes a part of a refund, until enough of it came back', async () => {
    const credit = { ...of, creditId: 'credit_1', currency: 'usd' }
    const payment = { receivableId, paymentId: 'payment_1' }
    const reversed = (amount: number, short: number, reversalId: string) =>
      ofClient({
        type: 'CreditReversed',
        data: { ...credit, ...payment, amount, short, reversalId },
      })
    const before = [
      added,
      ofClient({
        type: 'CreditAdded',
        data: { ...credit, ...payment, amount: 9_900, date: '2026-11-20' },
      }),
      ofClient({
        type: 'CreditApplied',
        data: {
          ...credit,
          receivableId,
          amount: 9_000,
          applicationId: 'application_1',
          date: '2026-11-21',
        },
      }),
      reversed(900, 9_000, 'refund_1'),
    ]
    await db.given(receivables, before)
    expect(await kinds()).toEqual([
      {
        kind: 'credit-owed',
        sentence:
          'Got a refund of money that had paid another invoice. $90.00 is missing: take the credit back from that invoice, or ask the client for it.',
        number: null,
        amount: 9_000,
      },
    ])
    await db.given(receivables, [
      ...before,
      ofClient({
        type: 'CreditRestored',
        data: { ...credit, amount: 9_000, applicationId: 'application_1' },
      }),
      reversed(9_000, 0, 'application_1 taken back'),
    ])
    expect(await kinds()).toEqual([])
  })

  it('a message of which it is not known whether it arrived, while its invoice is open', async () => {
    await db.given(receivables, [added, invoice, due('m1'), unknown('m1')])
    expect(await kinds()).toEqual([
      {
        kind: 'unknown',
        sentence:
          'It is not known whether the firm e-mail of Nov 20 arrived, and nothing repeats it. Call the client, or send a message now.',
        number: 'AD-1187',
        amount: 124_000,
      },
    ])
  })

  it('nothing of an erased client', async () => {
    const erased = ofClient({ type: 'ClientErased', data: of })
    await db.given(receivables, [added, invoice, bounced, due('m1'), unknown('m1'), erased])
    expect(await kinds()).toEqual([])
  })

  describe('invoices without a step left', () => {
    const left = (...steps: Parameters<typeof noStepLeft>[2]) =>
      noStepLeft(db.pool, merchantId, steps, today)
    const always = '2000-01-01T00:00:00.000Z'
    const at = (offset: number, since = always, includesPast = false) => ({
      offset,
      since,
      includesPast,
    })

    it('are those of which the last step ended', async () => {
      await db.given(receivables, [added, invoice, due('m1'), sent('m1')])
      expect(await left(at(0), at(7))).toEqual({
        invoices: 1,
        clients: 1,
        sums: [{ currency: 'usd', amount: 124_000 }],
        daysOverdue: { most: 12, least: 12 },
      })
      expect(await left(at(0), at(14))).toBeNull()
    })

    it('are none while a payment of them is on its way', async () => {
      const events = [added, invoice, due('m1', 30), sent('m1')]
      await db.given(receivables, [...events, ...payingEvents(receivableId, 1)])
      expect(await left(at(30))).toBeNull()
      await db.given(receivables, [...events, ...payingEvents(receivableId, 2)])
      expect(await left(at(30))).toMatchObject({
        invoices: 1,
      })
    })

    it('are the invoices of the list that asks for them, and no others', async () => {
      const second = recorded(`receivable-${otherId}`, {
        type: 'ReceivableAdded',
        data: { ...samplePayloads.ReceivableAdded, ...of, receivableId: otherId, number: 'AD-2' },
      } satisfies ReceivableEvent)
      await db.given(receivables, [added, invoice, second, due('m1'), sent('m1')])
      const list = async (schedule: readonly LeftStep[] | null) => {
        const query = { ...invoicesQuery.parse({ steps: 'none-left' }), schedule }
        const { items, counts, total } = await invoicesPage(db.pool, merchantId, query, today)
        return { ids: items.map((item) => item.receivableId), open: counts.open, total }
      }
      expect(await list([at(0), at(7)])).toEqual({ ids: [receivableId], open: 1, total: 1 })
      expect(await list([at(0), at(14)])).toEqual({ ids: [], open: 0, total: 0 })
      // The schedule repeats its last step.
      expect(await list(null)).toEqual({ ids: [], open: 0, total: 0 })
    })

    it('are none before a step ended', async () => {
      await db.given(receivables, [added, invoice])
      expect(await left(at(0))).toBeNull()
    })

    it('count a later step only if it concerns the invoice', async () => {
      await db.given(receivables, [added, invoice, due('m1'), sent('m1')])
      const afterItsDay = '2026-12-24T00:00:00.000Z'
      expect(await left(at(7), at(30, afterItsDay))).toMatchObject({ invoices: 1 })
      expect(await left(at(7), at(30, afterItsDay, true))).toBeNull()
      expect(await left(at(7), at(60, afterItsDay))).toBeNull()
    })
  })
})

describe('what the preview knows of a client', () => {
  it('is what the log says: ended steps, days of messages, refused days', async () => {
    const notSent = reminder({
      type: 'MessageNotSent',
      data: { ...of, messageId: 'm2', channel: 'mail', why: 'not-accepted', reason: '451' },
    })
    const events = [
      due('m1', 7, [0], '2026-11-18T15:00:00.000Z'),
      sent('m1'),
      due('m2', 14, [], '2026-11-20T15:00:00.000Z'),
      notSent,
    ]
    await db.given(receivables, [added, invoice, ...events], 3)
    const [client] = await owingClients(db.pool, merchantId, { after: '', max: 10 })
    if (client === undefined) throw new Error('The client owes something.')
    const known = forecastClientOf(client, newYork, { mail: null, text: null }, null).state
    const log = events.reduce<ReminderState>(evolveReminder, initialReminderState)
    const days = (state: ReminderState) =>
      [...state.ended].map(([key, { day: endedOn }]) => `${key} ${endedOn}`).toSorted()
    expect(days(known)).toEqual(days(log))
    expect(known.days.toJS()).toEqual(log.days.toJS())
    expect(known.refusedDays.toJS()).toEqual(log.refusedDays.toJS())
    expect(known.told.toJS()).toEqual(log.told.toJS())
    expect(known.open).toBeNull()
  })

  it('is that the refused days count no more after the steps ended as not delivered', async () => {
    const notSent = reminder({
      type: 'MessageNotSent',
      data: { ...of, messageId: 'm1', channel: 'mail', why: 'not-accepted', reason: '451' },
    })
    const skipped = reminder({
      type: 'StepsSkipped',
      data: {
        ...of,
        day: '2026-11-20',
        steps: [step(7)],
        why: { kind: 'not-delivered', days: 3 },
      },
    })
    const events = [due('m1'), notSent, skipped]
    await db.given(receivables, [added, invoice, ...events], 3)
    const [client] = await owingClients(db.pool, merchantId, { after: '', max: 10 })
    if (client === undefined) throw new Error('The client owes something.')
    const { state } = forecastClientOf(client, newYork, { mail: null, text: null }, null)
    const log = events.reduce<ReminderState>(evolveReminder, initialReminderState)
    expect(log.refusedDays.toJS()).toEqual([])
    expect(state.refusedDays.toJS()).toEqual([])
  })

  it('is the client that the sending reads from its stream', async () => {
    const own = (event: ClientEvent, index: number) =>
      recorded(`client-${clientId}`, event, {
        revision: index,
        occurredAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
      })
    const { details } = samplePayloads.ClientAdded
    const life: readonly ClientEvent[] = [
      { type: 'ClientAdded', data: { ...samplePayloads.ClientAdded, ...of } },
      { type: 'ClientHeld', data: { ...samplePayloads.ClientHeld, ...of } },
      { type: 'ClientReleased', data: of },
      {
        type: 'ClientAddressBounced',
        data: { ...samplePayloads.ClientAddressBounced, ...of, channel: 'mail' },
      },
      { type: 'TextConsentRecorded', data: { ...samplePayloads.TextConsentRecorded, ...of } },
      {
        type: 'ClientChanged',
        data: {
          ...samplePayloads.ClientChanged,
          ...of,
          before: details,
          after: { ...details, state: 'Oregon', email: 'other@postbox.example' },
        },
      },
      { type: 'TextConsentWithdrawn', data: of },
    ]
    const stops = { mail: null, text: null }
    const textNumber = { kind: 'allowed', to: '+15415550139' } as const
    for (const length of life.keys()) {
      const events = life.slice(0, length + 1).map(own)
      const state = events.reduce<ClientState>(evolveClient, { kind: 'none' })
      if (state.kind !== 'added') throw new Error('The client was added.')
      await db.given(receivables, [...events, invoice], 60)
      const [client] = await owingClients(db.pool, merchantId, { after: '', max: 10 })
      if (client === undefined) throw new Error('The client owes something.')
      const { hold, ...read } = remindedClient(
        state,
        events as Parameters<typeof remindedClient>[1],
        { merchantZone: newYork, stops, textNumber },
      )
      // The read model has the end of a hold, and not its reason.
      const shown = { ...read, hold: hold === null ? null : { until: hold.until } }
      expect(forecastClientOf(client, newYork, stops, textNumber).client).toEqual(shown)
    }
  })

  it('counts a message on its way as one that arrives', async () => {
    await db.given(receivables, [added, invoice, due('m1', 7, [0])])
    const [client] = await owingClients(db.pool, merchantId, { after: '', max: 10 })
    if (client === undefined) throw new Error('The client owes something.')
    const { state } = forecastClientOf(client, newYork, { mail: null, text: null }, null)
    expect(state.days.toJS()).toEqual(['2026-11-20'])
    expect(state.ended.size).toBe(2)
  })
})

describe('the results of the steps', () => {
  const paid = (date: string) =>
    recorded(
      `receivable-${receivableId}`,
      {
        type: 'PaymentRecorded',
        data: { ...samplePayloads.PaymentRecorded, ...of, receivableId, date },
      },
      { revision: 1 },
    )
  const results = () => stepResults(db.pool, merchantId, day('2026-08-27'))

  it('are the steps that went out, and those that a payment followed within 3 days', async () => {
    await db.given(receivables, [added, invoice, due('m1', 7, [0]), sent('m1'), paid('2026-11-23')])
    expect(await results()).toEqual([{ stepId: 'step 7', sent: 1, paid: 1 }])
    await db.given(receivables, [added, invoice, due('m1'), sent('m1'), paid('2026-11-24')])
    expect(await results()).toEqual([{ stepId: 'step 7', sent: 1, paid: 0 }])
  })
})

describe('what the preview knows of an invoice', () => {
  const lives = fc.noShrink(fc.gen().map((any) => Array.from({ length: 30 }, () => lifeOf(any))))
  const idOf = (index: number) =>
    `receivable_6c1f9a2e-8a52-5f0e-9d55-${String(index).padStart(12, '0')}`
  const eventsOf = (life: Awaited<ReturnType<typeof lifeOf>>, id: string) =>
    life.map((event, index) =>
      recorded(
        `receivable-${id}`,
        { ...event, data: { ...event.data, ...of, receivableId: id } } as ReceivableEvent,
        { revision: index, occurredAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString() },
      ),
    )

  it('is what the sending reads from its stream, in any life', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (some) => {
        const streams = some.map((life, index) => eventsOf(life, idOf(index)))
        const paying = some.flatMap((_life, index) => payingEvents(idOf(index), index))
        await db.given(receivables, [added, ...streams.flat(), ...paying], 60)
        const payments = submittedPayments(paying)
        const [client] = await owingClients(db.pool, merchantId, { after: '', max: 10 })
        const planned =
          client === undefined
            ? []
            : forecastClientOf(client, newYork, { mail: null, text: null }, null).receivables
        const read = streams.flatMap((events) => {
          const known = remindedReceivable(
            events as Parameters<typeof remindedReceivable>[0],
            payments,
          )
          return known?.reminded.settled === null ? [known.reminded] : []
        })
        const byId = (one: { receivableId: string }, other: { receivableId: string }) =>
          one.receivableId < other.receivableId ? -1 : 1
        // The read model has the end of a hold, and not its reason.
        const shown = ({ hold, ...rest }: (typeof read)[number]) => ({
          ...rest,
          hold: hold === null ? null : { until: hold.until },
        })
        expect(planned.map(shown).toSorted(byId)).toEqual(read.map(shown).toSorted(byId))
      }),
    )
  })
})
