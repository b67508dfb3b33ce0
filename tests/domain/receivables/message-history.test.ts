import { describe, expect, it } from '@jest/globals'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { daysIn } from '#services/finance/time-zone'
import { messageHistory, type ReminderEvents } from '#services/receivables/message-history'
import { recorded } from '../../support/data/events.ts'
import { newYork } from '../../support/receivables/reminders.ts'

const of = { merchantId: 'usr_alder', clientId: 'client_grace' }
const numbers = new Map([
  ['r1', 'AD-1187'],
  ['r2', 'AD-1214'],
])

type Due = Extract<ClientReminderEvent, { readonly type: 'MessageDue' }>['data']

const step = (
  receivableId: string,
  offset: number,
  changes: Partial<Due['steps'][number]> = {},
): Due['steps'][number] => ({
  receivableId,
  stepId: `step ${offset}`,
  repetition: 0,
  offset,
  channel: 'mail',
  tone: 'firm',
  dueDay: '2026-11-20',
  delays: [],
  ...changes,
})

const due = (changes: Partial<Due> = {}): ClientReminderEvent => ({
  type: 'MessageDue',
  data: {
    ...of,
    messageId: 'message_1',
    day: '2026-11-20',
    merchantDay: '2026-11-20',
    cause: 'schedule',
    channel: 'mail',
    tone: 'firm',
    to: 'g.whitaker@postbox.example',
    steps: [step('r1', 7)],
    replaced: [],
    ...changes,
  },
})
const sent: ClientReminderEvent = {
  type: 'MessageSent',
  data: {
    ...of,
    messageId: 'message_1',
    channel: 'mail',
    subject: 'Invoice AD-1187',
    body: 'Dear Grace',
    providerId: null,
  },
}

function rows(events: readonly ClientReminderEvent[], receivableId: string | null = 'r1') {
  const stored = events.map((event, revision) =>
    recorded('clientReminder-client_grace', event, {
      revision,
      occurredAt: '2026-11-20T14:30:00.000Z',
    }),
  ) as ReminderEvents
  return messageHistory(stored, {
    receivableId,
    numberOf: (id) => numbers.get(id) ?? null,
    dayOf: daysIn(newYork),
  }).map(({ title, sentence, mark, messageId }) => ({ title, sentence, mark, messageId }))
}

describe('a past step on the page of its invoice', () => {
  it('that was sent says why, and to which address', () => {
    expect(rows([due(), sent])).toEqual([
      {
        mark: 'mail',
        title: 'Firm e-mail sent',
        sentence: '7 days after the due date. To g.whitaker@postbox.example.',
        messageId: 'message_1',
      },
    ])
  })

  it('that was late says so in the past tense', () => {
    const late = step('r1', 7, {
      delays: [
        { kind: 'no-sending-day', day: '2026-11-19', isDayOff: true },
        { kind: 'week-limit', limit: 3 },
      ],
    })
    expect(rows([due({ steps: [late] }), sent])[0]?.sentence).toBe(
      '7 days after the due date. Thu, Nov 19 was a day off. The client had 3 messages in 7 days already. It went out on Fri, Nov 20. To g.whitaker@postbox.example.',
    )
  })

  it('names the other invoices, the other channel and the other tone', () => {
    const message = due({
      steps: [step('r1', 3, { channel: 'text', tone: 'friendly' }), step('r2', 7)],
    })
    expect(rows([message, sent])[0]?.sentence).toBe(
      '3 days after the due date. By e-mail, with the client’s other steps of the day. In the firm tone instead of the friendly one. One e-mail with AD-1214. To g.whitaker@postbox.example.',
    )
  })

  it('that a later step replaced has a row of its own', () => {
    expect(rows([due({ replaced: [step('r1', 0, { tone: 'friendly' })] }), sent])[0]).toEqual({
      mark: 'not-sent',
      title: 'Friendly e-mail replaced',
      sentence: 'On the due date, Fri, Nov 20. The later firm e-mail of Fri, Nov 20 replaced it.',
      messageId: null,
    })
  })

  it('that was skipped says the cause and the way out', () => {
    const skipped: ClientReminderEvent = {
      type: 'StepsSkipped',
      data: {
        ...of,
        day: '2026-11-20',
        steps: [step('r1', 3), step('r2', 3)],
        why: { kind: 'no-channel', mail: 'no-address', text: 'no-consent' },
      },
    }
    expect(rows([skipped])).toEqual([
      {
        mark: 'not-sent',
        title: 'Firm e-mail not sent',
        sentence:
          '3 days after the due date. No e-mail address, no consent to texts. With an e-mail address, the next steps go out.',
        messageId: null,
      },
    ])
  })

  it('has no row for a message about other invoices', () => {
    expect(rows([due({ steps: [step('r2', 7)] }), sent])).toEqual([])
  })
})

describe('a message without its usual end', () => {
  it('is being sent until its outcome is known', () => {
    expect(rows([due()])).toMatchObject([{ title: 'Firm e-mail is being sent', messageId: null }])
  })

  it.each([
    ['refused', 'The mail server refused g.whitaker@postbox.example for good.'],
    ['not-accepted', 'The mail server did not accept it then. It is tried again later.'],
  ] as const)('that was %s says so', (why, sentence) => {
    const notSent: ClientReminderEvent = {
      type: 'MessageNotSent',
      data: { ...of, messageId: 'message_1', channel: 'mail', why, reason: '550' },
    }
    expect(rows([due(), notSent])).toMatchObject([{ title: 'Firm e-mail not sent', sentence }])
  })

  it('that was overtaken has no row', () => {
    const outdated: ClientReminderEvent = {
      type: 'MessageNotSent',
      data: { ...of, messageId: 'message_1', channel: 'mail', why: 'outdated', reason: 'paid' },
    }
    expect(rows([due(), outdated])).toEqual([])
  })

  it('whose outcome is unknown says that nothing repeats it', () => {
    const unknown: ClientReminderEvent = {
      type: 'MessageUnknown',
      data: { ...of, messageId: 'message_1', channel: 'mail', reason: 'no answer' },
    }
    expect(rows([due(), unknown])).toMatchObject([
      {
        title: 'Firm e-mail: not known whether it arrived',
        sentence: '7 days after the due date. No answer came, so nothing repeats it.',
      },
    ])
  })

  it('that came back names the address', () => {
    const returned: ClientReminderEvent = {
      type: 'MessageReturned',
      data: { ...of, messageId: 'message_1', reason: '5.1.1' },
    }
    expect(rows([due(), sent, returned])[1]).toMatchObject({
      title: 'Firm e-mail came back',
      sentence: 'g.whitaker@postbox.example could not be reached.',
    })
  })
})

describe('the page of a client', () => {
  it('has one row per message, with the numbers that it knows', () => {
    const steps = ['r1', 'r2', 'r3', 'r4'].map((id) => step(id, 7))
    expect(rows([due({ steps }), sent], null)).toMatchObject([
      {
        sentence: 'About AD-1187, AD-1214 and 2 other invoices. To g.whitaker@postbox.example.',
      },
    ])
  })

  it('has one row for all steps that were skipped for one reason', () => {
    const skipped: ClientReminderEvent = {
      type: 'StepsSkipped',
      data: {
        ...of,
        day: '2026-11-20',
        steps: Array.from({ length: 500 }, (_, index) => step(`r${index + 1}`, 3)),
        why: { kind: 'no-channel', mail: 'stopped', text: 'no-address' },
      },
    }
    expect(rows([skipped], null)).toMatchObject([
      {
        title: '500 steps not sent',
        sentence:
          'About AD-1187, AD-1214 and 498 other invoices. E-mails stopped, no phone number. Only the client can allow messages again.',
      },
    ])
    expect(rows([skipped])).toHaveLength(1)
  })

  it('shows no address of an erased client', () => {
    expect(rows([due({ to: erasedValue }), sent], null)[0]?.sentence).toBe(
      '7 days after the due date.',
    )
  })
})
