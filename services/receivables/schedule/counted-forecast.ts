import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { forecast, type Forecast } from '../reminders/forecast.ts'
import { localTime } from '../reminders/local-time.ts'
import type { Schedule as PlannedSchedule } from '../reminders/schedule.ts'

/** A merchant whose clients are planned some after others. */
export interface CountedMerchant {
  readonly merchantId: UserId
  readonly timeZone: TimeZone
  readonly sendingSince: Instant
  readonly limitOn: (day: Day) => number
  /** Places that were taken before. */
  readonly takenAt: (at: Instant) => number
}

/** Forecasts of some clients after others: the messages of all of them count for a day. */
export function countedForecast(
  { takenAt, ...merchant }: CountedMerchant,
  schedule: PlannedSchedule,
) {
  const counts = new Map<Day, number>()
  const zone = localTime(merchant.timeZone)
  return (
    clients: Parameters<typeof forecast>[1],
    times: Parameters<typeof forecast>[2],
  ): readonly Forecast[] => {
    const forecasts = forecast(
      { ...merchant, schedule, takenAt: (at) => takenAt(at) + (counts.get(zone.dayOf(at)) ?? 0) },
      clients,
      times,
    )
    for (const { at, message } of forecasts) {
      const day = zone.dayOf(at)
      if (message !== null) counts.set(day, (counts.get(day) ?? 0) + 1)
    }
    return forecasts
  }
}
