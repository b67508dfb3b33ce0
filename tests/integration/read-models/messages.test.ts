import { describe, expect, it } from '@jest/globals'
import type { ClientEvent } from '#contracts/events/client'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { schemaOf } from '#projections/engine/read-model'
import { receivables } from '#projections/receivables/read-model'
import { messageRow, stepRow } from '#projections/receivables/message-rows'
import { allRows } from '#services/foundation/rows'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const schema = schemaOf(receivables)
const merchantId = 'usr_alder'
const clientId = 'client_grace'
const receivableId = 'receivable_6c1f9a2e-8a52-5f0e-9d55-000000000001'
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
const due = (messageId: string, offset = 7, replaced: readonly number[] = []) =>
  reminder({
    type: 'MessageDue',
    data: {
      ...of,
      messageId,
      day: '2026-11-20',
      cause: 'schedule',
      channel: 'mail',
      tone: 'firm',
      to: 'g.whitaker@postbox.example',
      steps: [{ ...step(offset), delays: [{ kind: 'one-a-day' }] }],
      replaced: replaced.map(step),
    },
  })
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
    await db.given(receivables, [added, bounced, changed('other@postbox.example')])
    expect(await marks()).toMatchObject([{ mail_bounced: false }])
    await db.given(receivables, [added, bounced, changed(samplePayloads.ClientAdded.details.email)])
    expect(await marks()).toMatchObject([{ mail_bounced: true }])
  })
})
