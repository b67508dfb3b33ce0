import type { MerchantEvent } from '#contracts/events/merchant'

type EventOf<Type extends MerchantEvent['type']> = Extract<MerchantEvent, { readonly type: Type }>

/** When and how a merchant reminds its clients. */
export type Schedule = EventOf<'ScheduleChanged'>['data']
export type ScheduledStep = Schedule['steps'][number]

/** How many clients a merchant may message in a day. */
export type SendingLimits = EventOf<'SendingLimitsSet'>['data']

export const defaultLimits: SendingLimits = { firstWeek: 200, later: 2_000 }

/** Before every receivable: the steps of the default have no day on which they were added. */
const always = '2000-01-01T00:00:00.000Z'

function step(
  stepId: string,
  offset: number,
  tone: ScheduledStep['tone'],
  channel: ScheduledStep['channel'],
): ScheduledStep {
  return { stepId, offset, channel, tone, since: always, includesPast: false }
}

/** The schedule of a merchant that never changed it. Its ids never change. */
export const defaultSchedule: Schedule = {
  steps: [
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a101', -3, 'friendly', 'mail'),
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a102', 0, 'friendly', 'mail'),
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a103', 3, 'friendly', 'text'),
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a104', 7, 'firm', 'mail'),
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a105', 14, 'firm', 'text'),
    step('0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a106', 30, 'final', 'mail'),
  ],
  repeatLastEvery: null,
  sendingDays: [1, 2, 3, 4, 5],
  daysOff: [],
  sendingTime: '09:30',
  messagesPerWeek: 3,
  thanks: false,
}
