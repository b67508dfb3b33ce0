import fc from 'fast-check'
import { addDays } from '#services/finance/calendar'
import type { RemindedParts, RemindedReceivable } from '#services/receivables/reminders/reminded'
import type { Step } from '#services/receivables/reminders/schedule'
import { client, day, fullOn, merchant, receivable, schedule, step, zone } from './reminders.ts'

/** Sunday, October 4: the clocks of the US change on November 1. */
const firstDay = day('2026-10-04')
export const start = '2026-10-04T04:00:00.000Z'

const within = (days: number) =>
  fc.integer({ min: 0, max: days }).map((at) => addDays(firstDay, at))
const instant = fc
  .integer({ min: 0, max: 20 * 24 * 2 })
  .map((halves) => new Date(Date.parse(start) + halves * 1_800_000).toISOString())
const hold = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  fc.record({ until: fc.option(within(50)) }),
)

const arbitraryStep: fc.Arbitrary<Step> = fc
  .record({
    offset: fc.integer({ min: -5, max: 30 }),
    tone: fc.constantFrom('friendly' as const, 'firm' as const, 'final' as const),
    channel: fc.constantFrom('mail' as const, 'text' as const),
    since: fc.oneof(fc.constant('2020-01-01T00:00:00.000Z'), instant),
    includesPast: fc.boolean(),
  })
  .map(({ offset, tone, channel, ...rest }) => step(offset, tone, channel, rest))

const weekday = fc.constantFrom(
  1 as const,
  2 as const,
  3 as const,
  4 as const,
  5 as const,
  6 as const,
  7 as const,
)

const arbitraryMerchant = fc
  .record({
    steps: fc.uniqueArray(arbitraryStep, {
      minLength: 1,
      maxLength: 6,
      selector: ({ stepId }) => stepId,
    }),
    repeatLastEvery: fc.option(fc.integer({ min: 1, max: 10 })),
    sendingDays: fc.uniqueArray(weekday, { minLength: 1 }).map((days) => new Set(days)),
    daysOff: fc.array(within(60), { maxLength: 6 }).map((days) => new Set(days)),
    sendingTime: fc.constantFrom('01:30', '02:30', '09:30', '12:00', '17:00'),
    messagesPerWeek: fc.integer({ min: 1, max: 7 }),
    sendingSince: instant,
    full: fc.array(within(60), { maxLength: 5 }).map((days) => new Set(days)),
  })
  .map(({ steps, sendingSince, full, ...rest }) =>
    merchant({ schedule: schedule(steps, rest), sendingSince, isFull: fullOn(full) }),
  )

const zones = [
  'America/New_York',
  'America/Denver',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/Los_Angeles',
].map(zone)
const obstacle = fc.constantFrom(null, null, null, 'bounced' as const, 'no-address' as const)

const arbitraryClient = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    others: fc.subarray(zones.slice(0, 3)),
    mail: obstacle,
    text: obstacle,
    hold,
  })
  .map(({ others, ...rest }) => client({ ...rest, textZones: [rest.timeZone, ...others] }))

const arbitraryReceivable: fc.Arbitrary<RemindedReceivable> = fc
  .record({
    dueDate: within(30),
    addedAt: fc.oneof(fc.constant(start), instant),
    settled: fc.constantFrom(null, null, null, null, 'paid' as const),
    hold,
    promisedBy: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, within(40)),
    isDisputed: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
    isPaying: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
    payingUntil: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, instant),
  })
  .map(({ dueDate, ...rest }) => receivable(dueDate, rest))

/** A client with up to five receivables, and a merchant. */
export const arbitraryReminded: fc.Arbitrary<RemindedParts> = fc.record({
  merchant: arbitraryMerchant,
  client: arbitraryClient,
  receivables: fc
    .array(arbitraryReceivable, { minLength: 1, maxLength: 5 })
    .map((each) => each.map((one, index) => ({ ...one, receivableId: `receivable_${index}` }))),
})
