import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { anOverview } from './receivables-data.ts'

const since = '2026-10-02T16:00:00.000Z'
const step = (
  digit: number,
  offset: number,
  tone: 'friendly' | 'firm' | 'final',
  channel: 'mail' | 'text',
) => ({
  stepId: `7d1f3c52-9a64-4b0e-8f27-5b1de04c7a6${digit}`,
  offset,
  tone,
  channel,
  since,
  includesPast: false,
})

/** The saved schedule of Alder Dental: three steps, never turned on. */
export function aSchedule(over: Partial<ScheduleResponse> = {}): ScheduleResponse {
  return {
    access: anOverview().access,
    companyName: 'Alder Dental',
    schedule: {
      steps: [
        step(1, -3, 'friendly', 'mail'),
        step(2, 0, 'friendly', 'mail'),
        step(3, 14, 'firm', 'text'),
      ],
      repeatLastEvery: null,
      sendingDays: [1, 2, 3, 4, 5],
      daysOff: [],
      sendingTime: '09:30',
      messagesPerWeek: 3,
      thanks: false,
    },
    timeZone: 'America/Chicago',
    today: '2026-11-25',
    version: 4,
    savedAt: since,
    isOn: false,
    isOnSince: null,
    stopped: null,
    holidays: [
      { day: '2026-11-11', name: 'Veterans Day' },
      { day: '2026-11-26', name: 'Thanksgiving Day' },
      { day: '2026-12-25', name: 'Christmas Day' },
      { day: '2027-07-04', name: 'Independence Day' },
    ],
    ...over,
  }
}
