import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { MerchantEvent } from '#contracts/events/merchant'
import { problemOfSchedule, sendingTimes } from '#contracts/receivables/schedule-rules'
import { parseTimeZone } from '#services/finance/time-zone'
import { merchantDecider, type MerchantCommand } from '#services/receivables/merchant-decider'
import type { WantedSchedule } from '#services/receivables/schedule/reminder-settings'
import { defaultSchedule } from '#services/receivables/schedule/schedule'
import { given } from '../../support/data/given.ts'

const at = '2026-11-26T18:12:00.000Z'
const later = '2026-12-03T18:12:00.000Z'
const erased: MerchantEvent = { type: 'MerchantErased', data: {} }

type Change = Extract<MerchantCommand, { readonly type: 'change-schedule' }>
const change = (parts: Partial<WantedSchedule>, rest: Partial<Change> = {}): Change => ({
  type: 'change-schedule',
  schedule: { ...defaultSchedule, ...parts },
  timeZone: null,
  basedOn: 0,
  at,
  ...rest,
})
const changed = (parts: Partial<typeof defaultSchedule>): MerchantEvent => ({
  type: 'ScheduleChanged',
  data: { ...defaultSchedule, ...parts },
})
const [first, ...others] = defaultSchedule.steps
if (first === undefined) throw new Error('The default schedule has no step.')
const added = {
  stepId: '7d1f3c52-9a64-4b0e-8f27-5b1de04c7a60',
  offset: 45,
  channel: 'mail',
  tone: 'final',
  includesPast: false,
} as const

describe('the schedule of a merchant', () => {
  it('is the default, and off, until it is changed', () => {
    const { reminders } = merchantDecider.initialState
    expect(reminders.isOn).toBe(false)
    expect(problemOfSchedule(reminders.schedule)).toBeNull()
    expect(
      reminders.schedule.steps.map(({ offset, tone, channel }) => `${offset} ${tone} ${channel}`),
    ).toEqual([
      '-3 friendly mail',
      '0 friendly mail',
      '3 friendly text',
      '7 firm mail',
      '14 firm text',
      '30 final mail',
    ])
  })

  it('is recorded as a whole, and a step that is added begins then', () => {
    expect(
      given(merchantDecider).when(change({ steps: [added, ...defaultSchedule.steps] })),
    ).toEqual([changed({ steps: [...defaultSchedule.steps, { ...added, since: at }] })])
  })

  it('keeps the beginning of a step that keeps its day, whatever else of it changes', () => {
    const kept = { ...first, tone: 'firm', channel: 'text', includesPast: true } as const
    expect(given(merchantDecider).when(change({ steps: [kept, ...others] }))).toEqual([
      changed({ steps: [kept, ...others] }),
    ])
  })

  it('counts a step with another day as added now', () => {
    const moved = { ...first, offset: -5 }
    expect(given(merchantDecider).when(change({ steps: [moved, ...others] }))).toEqual([
      changed({ steps: [{ ...moved, since: at }, ...others] }),
    ])
  })

  it('is no event if nothing changes, in whatever order it is sent, and from an old page, too', () => {
    const same = change(
      { steps: defaultSchedule.steps.toReversed(), sendingDays: [5, 4, 3, 2, 1, 1] },
      { basedOn: 7 },
    )
    expect(given(merchantDecider).when(same)).toEqual([])
  })

  it('of another tab is not overwritten', () => {
    const stream = given(merchantDecider, changed({ messagesPerWeek: 2 }))
    expect(stream.when(change({ thanks: true }))).toEqual({ refused: 'changed-meanwhile' })
    expect(stream.when(change({ thanks: true }, { basedOn: 1 }))).toEqual([
      changed({ thanks: true }),
    ])
  })

  it('is refused after the erasure', () => {
    expect(given(merchantDecider, erased).when(change({ thanks: true }))).toEqual({
      refused: 'erased',
    })
  })

  const step = (parts: Partial<WantedSchedule['steps'][number]>) => ({ ...added, ...parts })
  it.each<[string, Partial<WantedSchedule>]>([
    ['no-step', { steps: [] }],
    [
      'too-many-steps',
      { steps: Array.from({ length: 21 }, (_, i) => step({ stepId: `${i}`, offset: i })) },
    ],
    ['step-out-of-range', { steps: [step({ offset: -61 })] }],
    ['step-out-of-range', { steps: [step({ offset: 366 })] }],
    ['step-out-of-range', { steps: [step({ offset: 1.5 })] }],
    ['same-step', { steps: [added, { ...added, stepId: 'another' }] }],
    ['same-step', { steps: [added, { ...added, offset: 46 }] }],
    ['no-sending-day', { sendingDays: [] }],
    ['no-sending-day', { sendingDays: [1, 8] }],
    ['wrong-sending-time', { sendingTime: '17:15' }],
    ['wrong-sending-time', { sendingTime: '09:20' }],
    ['wrong-weekly-limit', { messagesPerWeek: 0 }],
    ['wrong-weekly-limit', { messagesPerWeek: 8 }],
    ['wrong-repeat', { repeatLastEvery: 0 }],
    ['wrong-repeat', { repeatLastEvery: 366 }],
    ['too-many-days-off', { daysOff: Array.from({ length: 201 }, (_, i) => `${i}`) }],
  ])('is refused as %s: %j', (refused, parts) => {
    expect(given(merchantDecider).when(change(parts))).toEqual({ refused })
  })

  it('may have a tone that gets weaker, and two channels on a day', () => {
    const steps = [
      step({ stepId: 'a', offset: 3 }),
      { ...added, stepId: 'b', offset: 7, tone: 'friendly' as const },
      { ...added, stepId: 'c', offset: 7, tone: 'friendly' as const, channel: 'text' as const },
    ]
    expect(given(merchantDecider).when(change({ steps }))).toHaveLength(1)
  })
})

describe('the time zone of a merchant', () => {
  const timeZone = parseTimeZone('America/Los_Angeles')
  if (timeZone === null) throw new Error('The zone is unknown.')
  const chosen = { type: 'TimeZoneChosen', data: { timeZone } } as const

  it('is chosen with the schedule, once', () => {
    expect(given(merchantDecider).when(change({}, { timeZone }))).toEqual([chosen])
    expect(given(merchantDecider).when(change({ thanks: true }, { timeZone }))).toEqual([
      changed({ thanks: true }),
      chosen,
    ])
    expect(given(merchantDecider, chosen).when(change({}, { timeZone }))).toEqual([])
    expect(given(merchantDecider, erased).when(change({}, { timeZone }))).toEqual({
      refused: 'erased',
    })
  })

  it('of another tab is not overwritten by a schedule', () => {
    const stream = given(merchantDecider, chosen)
    expect(stream.when(change({ thanks: true }))).toEqual({ refused: 'changed-meanwhile' })
  })
})

describe('reminders', () => {
  const on: MerchantEvent = { type: 'RemindersTurnedOn', data: {} }
  const off: MerchantEvent = { type: 'RemindersTurnedOff', data: {} }
  const turnOn = { type: 'turn-reminders-on', at } as const
  const turnOff = { type: 'turn-reminders-off', at } as const

  it('are turned on and off once each', () => {
    expect(given(merchantDecider).when(turnOff)).toEqual([])
    expect(given(merchantDecider).when(turnOn)).toEqual([on])
    expect(given(merchantDecider, on).when(turnOn)).toEqual([])
    expect(given(merchantDecider, on).when(turnOff)).toEqual([off])
    expect(given(merchantDecider, on, off).when(turnOn)).toEqual([on])
    expect(given(merchantDecider, erased).when(turnOn)).toEqual({ refused: 'erased' })
  })

  it('stay on while an administrator stops the messages', () => {
    const stop = { type: 'stop-sending', reason: 'Complaints', at } as const
    const allow = { type: 'allow-sending', at } as const
    const stopped: MerchantEvent = { type: 'SendingStopped', data: { reason: 'Complaints' } }
    const allowed: MerchantEvent = { type: 'SendingAllowed', data: {} }
    expect(given(merchantDecider).when(allow)).toEqual([])
    expect(given(merchantDecider, on).when(stop)).toEqual([stopped])
    expect(given(merchantDecider, stopped).when(stop)).toEqual([])
    const another = { ...stop, reason: 'Fraud' }
    expect(given(merchantDecider, stopped).when(another)).toEqual([
      { type: 'SendingStopped', data: { reason: 'Fraud' } },
    ])
    expect(given(merchantDecider, stopped).when(allow)).toEqual([allowed])
    const { reminders } = given(merchantDecider, on, stopped).state
    expect(reminders).toMatchObject({ isOn: true, stoppedBecause: 'Complaints' })
    expect(given(merchantDecider, stopped, allowed).state.reminders.stoppedBecause).toBeNull()
  })

  it('have the limits of a new merchant until an administrator sets others', () => {
    const set = (firstWeek: number, laterOn: number) =>
      ({ type: 'set-sending-limits', limits: { firstWeek, later: laterOn }, at }) as const
    expect(merchantDecider.initialState.reminders.limits).toEqual({ firstWeek: 200, later: 2_000 })
    expect(given(merchantDecider).when(set(200, 2_000))).toEqual([])
    expect(given(merchantDecider).when(set(500, 2_000))).toEqual([
      { type: 'SendingLimitsSet', data: { firstWeek: 500, later: 2_000 } },
    ])
  })
})

describe('any changes of a schedule', () => {
  const anyStep = fc.record({
    stepId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    offset: fc.integer({ min: -62, max: 40 }),
    channel: fc.constantFrom('mail', 'text'),
    tone: fc.constantFrom('friendly', 'firm', 'final'),
    includesPast: fc.boolean(),
  })
  const anySchedule: fc.Arbitrary<WantedSchedule> = fc.record({
    steps: fc.array(anyStep, { maxLength: 5 }),
    repeatLastEvery: fc.option(fc.integer({ min: 0, max: 20 })),
    sendingDays: fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 8 }),
    daysOff: fc.array(fc.constantFrom('2026-11-26', '2026-12-25')),
    sendingTime: fc.constantFrom(...sendingTimes, '23:00'),
    messagesPerWeek: fc.integer({ min: 0, max: 8 }),
    thanks: fc.boolean(),
  })

  it('record what is wanted and can be followed, each once, and each step keeps its beginning', () => {
    fc.assert(
      fc.property(fc.array(anySchedule, { minLength: 1, maxLength: 6 }), (schedules) => {
        let stream: readonly MerchantEvent[] = []
        let recorded = 0
        for (const [index, schedule] of schedules.entries()) {
          const before = given(merchantDecider, ...stream).state.reminders
          const when = index % 2 === 0 ? at : later
          const command = change(schedule, { basedOn: before.version, at: when })
          const decision = given(merchantDecider, ...stream).decide(command)
          expect(decision.kind).toBe(problemOfSchedule(schedule) === null ? 'accepted' : 'refused')
          if (decision.kind === 'refused') continue
          recorded += decision.events.length
          stream = [...stream, ...decision.events]
          const after = given(merchantDecider, ...stream).state.reminders
          expect(after.version).toBe(recorded)
          expect(problemOfSchedule(after.schedule)).toBeNull()
          for (const { stepId, offset, since } of after.schedule.steps) {
            const known = before.schedule.steps.find((each) => each.stepId === stepId)
            expect(since).toBe(known?.offset === offset ? known.since : when)
          }
          // The command is repeated after its answer was lost.
          expect(given(merchantDecider, ...stream).when(command)).toEqual([])
        }
      }),
    )
  })
})
