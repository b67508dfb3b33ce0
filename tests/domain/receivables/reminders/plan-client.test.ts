import { describe, expect, it } from '@jest/globals'
import { planClient } from '#services/receivables/reminders/plan-client'
import { initialReminderState as none } from '#services/receivables/reminders/reminder-state'
import {
  afterMessage,
  client,
  day,
  fullOn,
  merchant,
  receivable,
  reminded,
  schedule,
  step,
  zone,
} from '../../../support/receivables/reminders.ts'

/*
 * November 2026: the 2nd, 9th, 16th, 23rd and 30th are Mondays. New York is 5 hours behind UTC, so
 * 9:30 is 14:30 UTC. Thanksgiving is on the 26th.
 */
const at = (dayOfMonth: number, time = '14:30') =>
  `2026-11-${String(dayOfMonth).padStart(2, '0')}T${time}:00.000Z`

const steps = [
  step(-3),
  step(0),
  step(3, 'friendly', 'text'),
  step(7, 'firm'),
  step(14, 'firm', 'text'),
  step(30, 'final'),
]
const standard = merchant({ schedule: schedule(steps) })

describe('the time of a step', () => {
  const parts = reminded({ receivables: [receivable('2026-11-10')] })

  it('is the sending hour of its day', () => {
    expect(planClient(parts, none, at(10, '14:29')).message).toBeNull()
    expect(planClient(parts, none, at(10, '14:29')).nextAt).toBe(at(10))
    expect(planClient(parts, none, at(10))).toMatchObject({
      message: { day: '2026-11-10', channel: 'mail', tone: 'friendly', steps: [{ delays: [] }] },
      nextAt: null,
    })
  })

  it('is the sending hour of the client’s zone', () => {
    const hawaii = client({ timeZone: zone('Pacific/Honolulu') })
    expect(planClient({ ...parts, client: hawaii }, none, at(10)).nextAt).toBe(at(10, '19:30'))
  })

  it('waits for the next sending day, and says why', () => {
    const saturday = reminded({ receivables: [receivable('2026-11-14')] })
    expect(planClient(saturday, none, at(14)).nextAt).toBe(at(16))
    expect(planClient(saturday, none, at(16)).message?.steps[0]?.delays).toEqual([
      { kind: 'no-sending-day', day: '2026-11-14', isDayOff: false },
    ])
    const off = merchant({
      schedule: schedule([step(0)], { daysOff: new Set([day('2026-11-26')]) }),
    })
    const thanksgiving = reminded({ merchant: off, receivables: [receivable('2026-11-26')] })
    expect(planClient(thanksgiving, none, at(26)).nextAt).toBe(at(27))
    expect(planClient(thanksgiving, none, at(27)).message?.steps[0]?.delays).toEqual([
      { kind: 'no-sending-day', day: '2026-11-26', isDayOff: true },
    ])
  })

  it('ends at 18:00 for mails, and continues on the next sending day', () => {
    expect(planClient(parts, none, at(10, '22:59')).message).not.toBeNull()
    expect(planClient(parts, none, at(10, '23:00')).message).toBeNull()
    expect(planClient(parts, none, at(10, '23:00')).nextAt).toBe(at(11))
    expect(planClient(parts, none, at(11)).message?.steps[0]?.delays).toEqual([
      { kind: 'not-running' },
    ])
  })

  it('neither is lost nor comes twice when the clock changes', () => {
    const early = merchant({
      schedule: schedule([step(0)], {
        sendingTime: '01:30',
        sendingDays: new Set([1, 2, 3, 4, 5, 6, 7]),
      }),
    })
    const autumn = reminded({ merchant: early, receivables: [receivable('2026-11-01')] })
    // 1:30 exists twice: at 5:30 and 6:30 UTC.
    expect(planClient(autumn, none, '2026-11-01T00:00:00.000Z').nextAt).toBe(
      '2026-11-01T05:30:00.000Z',
    )
    const sent = afterMessage(autumn, '2026-11-01T05:30:00.000Z')
    expect(planClient(autumn, sent, '2026-11-01T06:30:00.000Z').message).toBeNull()

    const skipped = merchant({
      schedule: schedule([step(0)], {
        sendingTime: '02:30',
        sendingDays: new Set([1, 2, 3, 4, 5, 6, 7]),
      }),
    })
    const spring = reminded({ merchant: skipped, receivables: [receivable('2026-03-08')] })
    // 2:30 does not exist: the clock goes from 2:00 to 3:00, at 7:00 UTC.
    expect(planClient(spring, none, '2026-03-08T00:00:00.000Z').nextAt).toBe(
      '2026-03-08T07:30:00.000Z',
    )
  })
})

describe('a text', () => {
  const texts = merchant({ schedule: schedule([step(0, 'firm', 'text')]) })

  it('waits until 8:00 in every zone of the client', () => {
    const anywhere = client({
      textZones: [zone('America/New_York'), zone('America/Chicago'), zone('America/Los_Angeles')],
    })
    const parts = reminded({
      merchant: texts,
      client: anywhere,
      receivables: [receivable('2026-11-10')],
    })
    expect(planClient(parts, none, at(10)).nextAt).toBe(at(10, '16:00'))
    expect(planClient(parts, none, at(10, '16:00')).message?.steps[0]?.delays).toEqual([
      { kind: 'text-hours' },
    ])
    // 20:00 in New York.
    expect(planClient(parts, none, at(11, '00:59')).message).not.toBeNull()
    expect(planClient(parts, none, at(11, '01:00')).nextAt).toBe(at(11, '16:00'))
  })

  it('goes by mail if the client gets no texts', () => {
    const parts = reminded({
      merchant: texts,
      client: client({ text: 'no-consent' }),
      receivables: [receivable('2026-11-10')],
    })
    expect(planClient(parts, none, at(10)).message).toMatchObject({ channel: 'mail', tone: 'firm' })
  })

  it('that goes by mail does not wait for the hours of texts, and does not say so', () => {
    const textZones = [zone('America/New_York'), zone('America/Los_Angeles')]
    const byMail = reminded({
      merchant: texts,
      client: client({ text: 'no-address', textZones }),
      receivables: [receivable('2026-11-10')],
    })
    const joined = reminded({
      merchant: merchant({ schedule: schedule([step(0, 'firm'), step(3, 'firm', 'text')]) }),
      client: client({ textZones }),
      receivables: [
        receivable('2026-11-10', { receivableId: 'a' }),
        receivable('2026-11-07', { receivableId: 'b', addedAt: at(1) }),
      ],
    })
    for (const parts of [byMail, joined]) {
      const { message } = planClient(parts, none, at(10))
      expect(message?.channel).toBe('mail')
      for (const { delays } of message?.steps ?? [])
        expect(delays).not.toContainEqual({ kind: 'text-hours' })
    }
  })
})

describe('one message a day', () => {
  it('is about everything that is due, in the strongest tone', () => {
    const parts = reminded({
      merchant: standard,
      receivables: [
        receivable('2026-11-10', { receivableId: 'a' }),
        receivable('2026-11-03', { receivableId: 'b' }),
      ],
    })
    const before = afterMessage(
      { ...parts, receivables: [receivable('2026-11-03', { receivableId: 'b' })] },
      at(3),
    )
    const { message } = planClient(parts, before, at(10))
    expect(message).toMatchObject({ channel: 'mail', tone: 'firm' })
    expect(message?.steps.map(({ receivableId, offset }) => [receivableId, offset])).toEqual([
      ['a', 0],
      ['b', 7],
    ])
    expect(message?.replaced.map(({ receivableId, offset }) => [receivableId, offset])).toEqual([
      ['a', -3],
      ['b', 3],
    ])
  })

  it('prefers a mail to a text of the same tone', () => {
    const both = merchant({
      schedule: schedule([step(0, 'firm', 'text'), step(0, 'firm', 'mail')]),
    })
    const parts = reminded({ merchant: both, receivables: [receivable('2026-11-10')] })
    const { message } = planClient(parts, none, at(10))
    expect(message).toMatchObject({ channel: 'mail', replaced: [] })
    expect(message?.steps).toHaveLength(2)
  })

  it('keeps other steps of the day for the next sending day', () => {
    const parts = reminded({ receivables: [receivable('2026-11-10')] })
    const state = afterMessage(parts, at(10))
    const later = reminded({
      receivables: [
        ...parts.receivables,
        receivable('2026-11-10', { receivableId: 'second', addedAt: at(9) }),
      ],
    })
    expect(planClient(later, state, at(10, '15:00')).nextAt).toBe(at(11))
    expect(planClient(later, state, at(11)).message?.steps[0]?.delays).toEqual([
      { kind: 'one-a-day' },
    ])
  })
})

describe('the limit of a week', () => {
  it('delays a step, and drops none', () => {
    const daily = merchant({
      schedule: schedule([step(0), step(1), step(2), step(3), step(4)], { messagesPerWeek: 2 }),
    })
    const parts = reminded({ merchant: daily, receivables: [receivable('2026-11-09')] })
    const two = afterMessage(parts, at(10), afterMessage(parts, at(9)))
    expect(planClient(parts, two, at(11)).nextAt).toBe(at(12))
    expect(planClient(parts, two, at(13)).nextAt).toBe(at(16))
    const { message } = planClient(parts, two, at(16))
    expect(message?.steps.map(({ offset, delays }) => [offset, delays])).toEqual([
      [4, [{ kind: 'week-limit', limit: 2 }]],
    ])
    expect(message?.replaced.map(({ offset }) => offset)).toEqual([2, 3])
  })

  it('of a merchant’s clients on a day delays, too', () => {
    const full = merchant({ isFull: fullOn(new Set([day('2026-11-10')])) })
    const parts = reminded({ merchant: full, receivables: [receivable('2026-11-10')] })
    expect(planClient(parts, none, at(10)).nextAt).toBe(at(11))
    expect(planClient(parts, none, at(11)).message?.steps[0]?.delays).toEqual([
      { kind: 'merchant-limit' },
    ])
  })
})

describe('a late start', () => {
  it('sends the latest open step once, friendly, and replaces the older ones', () => {
    const parts = reminded({
      merchant: merchant({ schedule: schedule(steps), sendingSince: at(17, '20:00') }),
      receivables: [receivable('2026-10-10')],
    })
    expect(planClient(parts, none, at(17, '20:00')).nextAt).toBe(at(18))
    const { message } = planClient(parts, none, at(18))
    expect(message).toMatchObject({ tone: 'friendly', channel: 'mail' })
    expect(message?.steps.map(({ offset, delays }) => [offset, delays])).toEqual([
      [30, [{ kind: 'reminders-off' }]],
    ])
    expect(message?.replaced).toHaveLength(5)
    expect(planClient(parts, afterMessage(parts, at(18)), at(18)).nextAt).toBeNull()
  })

  it('never has the final tone in the first message', () => {
    const finals = merchant({ schedule: schedule([step(7, 'final')]) })
    const parts = reminded({ merchant: finals, receivables: [receivable('2026-11-03')] })
    expect(planClient(parts, none, at(10)).message?.tone).toBe('firm')
  })

  it('leaves an invoice that the client was not told of out of a final one', () => {
    const parts = reminded({
      merchant: merchant({ schedule: schedule([step(0), step(14, 'final')]) }),
      receivables: [
        receivable('2026-11-03'),
        receivable('2026-11-17', { receivableId: 'receivable_2' }),
      ],
    })
    const told = afterMessage(parts, at(3))
    const { message } = planClient(parts, told, at(17))
    expect(message).toMatchObject({ tone: 'final', steps: [{ offset: 14 }], replaced: [] })
    const later = afterMessage(parts, at(17), told)
    expect(planClient(parts, later, at(17)).nextAt).toBe(at(18))
    expect(planClient(parts, later, at(18)).message).toMatchObject({
      tone: 'friendly',
      steps: [{ offset: 0, delays: [{ kind: 'one-a-day' }] }],
    })
  })

  it('of a step that was added to the schedule concerns no older invoice', () => {
    const added = step(3, 'firm', 'mail', { since: at(16) })
    const parts = (each: typeof added) =>
      reminded({
        merchant: merchant({ schedule: schedule([each]) }),
        receivables: [receivable('2026-11-10')],
      })
    expect(planClient(parts(added), none, at(16)).message).toBeNull()
    expect(planClient(parts(added), none, at(16)).nextAt).toBeNull()
    expect(planClient(parts({ ...added, includesPast: true }), none, at(16)).message).not.toBeNull()
  })
})

describe('a pause', () => {
  it('keeps steps back, and the latest one goes out on the next sending day', () => {
    const promised = receivable('2026-11-03', { promisedBy: day('2026-11-17') })
    const parts = reminded({ merchant: standard, receivables: [promised] })
    const told = afterMessage(
      reminded({ merchant: standard, receivables: [receivable('2026-11-03')] }),
      at(3),
    )
    const waiting = planClient(parts, told, at(10))
    expect(waiting).toMatchObject({ message: null, nextAt: at(18) })
    expect(waiting.waiting.map(({ offset, waitsFor }) => [offset, waitsFor])).toContainEqual([
      7,
      'promise',
    ])
    const { message } = planClient(parts, told, at(18))
    expect(message?.steps.map(({ offset, delays }) => [offset, delays])).toEqual([
      [14, [{ kind: 'promise' }]],
    ])
    expect(message).toMatchObject({ tone: 'firm' })
    expect(message?.replaced.map(({ offset }) => offset)).toEqual([3, 7])
  })

  it('without an end waits for a person', () => {
    const disputed = receivable('2026-11-10', { isDisputed: true })
    const parts = reminded({ receivables: [disputed] })
    expect(planClient(parts, none, at(10))).toMatchObject({ message: null, nextAt: null })
    const resolved = receivable('2026-11-10', {
      resumed: { at: at(12, '18:00'), after: 'dispute' },
    })
    expect(planClient(reminded({ receivables: [resolved] }), none, at(12, '18:00')).nextAt).toBe(
      at(13),
    )
  })

  it('lasts while a payment is on its way, and the latest step follows one that failed', () => {
    const told = afterMessage(
      reminded({ merchant: standard, receivables: [receivable('2026-11-03')] }),
      at(3),
    )
    const paying = receivable('2026-11-03', { isPaying: true })
    const waiting = planClient(
      reminded({ merchant: standard, receivables: [paying] }),
      told,
      at(10),
    )
    expect(waiting).toMatchObject({ message: null, nextAt: null })
    expect(waiting.waiting.map(({ offset, waitsFor }) => [offset, waitsFor])).toContainEqual([
      7,
      'payment',
    ])
    const failed = receivable('2026-11-03', { payingUntil: at(11, '18:00') })
    const parts = reminded({ merchant: standard, receivables: [failed] })
    // Not at once: on the next sending day, as after a hold.
    expect(planClient(parts, told, at(11, '18:00'))).toMatchObject({
      message: null,
      nextAt: at(12),
    })
    const { message } = planClient(parts, told, at(12))
    expect(message?.steps.map(({ offset, delays }) => [offset, delays])).toEqual([
      [7, [{ kind: 'payment' }]],
    ])
    expect(message?.replaced.map(({ offset }) => offset)).toEqual([3])
  })

  it('of a payment that paid a part ends with it, and nothing goes out about one that paid all', () => {
    const half = receivable('2026-11-10', { payingUntil: at(12, '18:00') })
    expect(planClient(reminded({ receivables: [half] }), none, at(12, '18:00')).nextAt).toBe(at(13))
    const whole = receivable('2026-11-10', { payingUntil: at(12, '18:00'), settled: 'paid' })
    expect(planClient(reminded({ receivables: [whole] }), none, at(12, '18:00'))).toMatchObject({
      message: null,
      nextAt: null,
      skips: [],
    })
  })

  it('of the client holds all its invoices', () => {
    const held = client({ hold: { until: day('2026-11-12') } })
    const parts = reminded({ client: held, receivables: [receivable('2026-11-10')] })
    expect(planClient(parts, none, at(10)).nextAt).toBe(at(12))
    expect(planClient(parts, none, at(12)).message?.steps[0]?.delays).toEqual([{ kind: 'hold' }])
  })
})

describe('a step is skipped', () => {
  it('if no channel is possible', () => {
    const unreachable = client({ mail: 'bounced', text: 'no-consent' })
    const parts = reminded({ client: unreachable, receivables: [receivable('2026-11-10')] })
    expect(planClient(parts, none, at(10))).toMatchObject({
      message: null,
      skips: [
        {
          steps: [{ offset: 0 }],
          why: { kind: 'no-channel', mail: 'bounced', text: 'no-consent' },
        },
      ],
    })
  })

  it('if its day passed while the invoice was paid', () => {
    const reopened = receivable('2026-11-03', {
      reopened: { settledAt: at(4), at: at(12), was: 'paid' },
    })
    const parts = reminded({ merchant: standard, receivables: [reopened] })
    const told = afterMessage(
      reminded({ merchant: standard, receivables: [receivable('2026-11-03')] }),
      at(3),
    )
    expect(planClient(parts, told, at(12))).toMatchObject({
      message: null,
      nextAt: at(17),
      skips: [{ steps: [{ offset: 3 }, { offset: 7 }], why: { kind: 'paid' } }],
    })
  })

  it('but a step that waited before the payment follows on the next sending day, and says why', () => {
    // Due on Saturday the 14th, paid on Sunday; the payment went back on Monday, after the hour.
    const reopened = receivable('2026-11-14', {
      reopened: { settledAt: at(15, '15:00'), at: at(16, '18:00'), was: 'paid' },
    })
    const parts = reminded({ receivables: [reopened] })
    expect(planClient(parts, none, at(16, '18:00'))).toMatchObject({
      message: null,
      nextAt: at(17),
      skips: [],
    })
    expect(planClient(parts, none, at(17)).message?.steps[0]?.delays).toEqual([
      { kind: 'reopened' },
    ])
  })

  it('while nothing is owed, nothing goes out', () => {
    const paid = reminded({ receivables: [receivable('2026-11-10', { settled: 'paid' })] })
    expect(planClient(paid, none, at(10))).toMatchObject({ message: null, skips: [], nextAt: null })
  })
})

describe('the repetition of the last step', () => {
  it('comes its days after the step went out', () => {
    const repeated = merchant({ schedule: schedule([step(0, 'firm')], { repeatLastEvery: 7 }) })
    const parts = reminded({ merchant: repeated, receivables: [receivable('2026-11-10')] })
    const first = afterMessage(parts, at(10))
    expect(planClient(parts, first, at(10)).nextAt).toBe(at(17))
    const second = afterMessage(parts, at(17), first)
    expect(planClient(parts, second, at(17)).nextAt).toBe(at(24))
    expect(planClient(parts, second, at(24)).message?.steps[0]).toMatchObject({ repetition: 2 })
  })
})
