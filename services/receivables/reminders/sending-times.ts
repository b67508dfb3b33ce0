import type { Instant } from '#contracts/instant'
import { addDays, numberOfDay, type Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { weekdayOf } from '#services/foundation/federal-holidays'
import { localTime, type LocalTime } from './local-time.ts'
import type { Channel, Schedule, Weekday } from './schedule.ts'

/** Mails go out from the sending hour to 18:00 of the client. */
const mailsEndAt = '18:00'
/** Texts go out between these hours only, in every zone of `textZones`. */
const [textsBeginAt, textsEndAt] = ['08:00', '20:00']

/** Any schedule has a sending day within this many days, unless its days off are that many. */
const maxDays = 800

/** From `start` to before `end`. */
interface Window {
  readonly start: Instant
  readonly end: Instant
}

/** When messages may go to one client. */
export interface SendingTimes {
  readonly dayOf: LocalTime['dayOf']
  isSendingDay(day: Day): boolean
  /** The sending hour on a day, whether or not it is a sending day. */
  sendingHourOf(day: Day): Instant
  /** The first sending hour of a sending day that is not before `from`. Null: none comes. */
  nextSendingHour(from: Instant): Instant | null
  /** The first time from `from` on, at which a message may go out. Null: none comes. */
  nextChance(channel: Channel, from: Instant): Instant | null
  /** Whether a text may reach the client, on any day. */
  isTextHour(at: Instant): boolean
}

/**
 * `timeZone` is the client's, and decides about days and the sending hour. `textZones` are all
 * zones in which the client may be.
 */
export function sendingTimes(
  schedule: Pick<Schedule, 'sendingDays' | 'daysOff' | 'sendingTime'>,
  { timeZone, textZones }: { readonly timeZone: TimeZone; readonly textZones: readonly TimeZone[] },
): SendingTimes {
  const { dayOf, instantOf } = localTime(timeZone)
  const sendingHourOf = (day: Day) => instantOf(day, schedule.sendingTime)

  function windowOf(channel: Channel, day: Day): Window | null {
    const hour = sendingHourOf(day)
    if (channel === 'mail') return { start: hour, end: instantOf(day, mailsEndAt) }
    const opens = textZones.map((zone) => localTime(zone).instantOf(day, textsBeginAt)).sort()
    const closes = textZones.map((zone) => localTime(zone).instantOf(day, textsEndAt)).sort()
    const [start, end] = [opens.at(-1), closes[0]]
    if (start === undefined || end === undefined || start >= end) return null
    return { start: start <= hour && hour < end ? hour : start, end }
  }

  /** The first sending day from the day of `from` on, for which `pick` returns an instant. */
  function firstOf(from: Instant, pick: (day: Day) => Instant | null): Instant | null {
    const first = dayOf(from)
    for (let days = 0; days < maxDays; days += 1) {
      const day = addDays(first, days)
      const at = isSendingDay(schedule, day) ? pick(day) : null
      if (at !== null) return at
    }
    return null
  }

  return {
    dayOf,
    isSendingDay: (day) => isSendingDay(schedule, day),
    sendingHourOf,
    nextSendingHour: (from) =>
      firstOf(from, (day) => {
        const hour = sendingHourOf(day)
        return hour >= from ? hour : null
      }),
    nextChance: (channel, from) =>
      firstOf(from, (day) => {
        const window = windowOf(channel, day)
        if (window === null || from >= window.end) return null
        return from > window.start ? from : window.start
      }),
    isTextHour: (at) =>
      textZones.every((zone) => {
        const local = localTime(zone)
        const day = local.dayOf(at)
        return local.instantOf(day, textsBeginAt) <= at && at < local.instantOf(day, textsEndAt)
      }),
  }
}

/** Whether messages go out on a day at all. */
export function isSendingDay(
  { sendingDays, daysOff }: Pick<Schedule, 'sendingDays' | 'daysOff'>,
  day: Day,
): boolean {
  return sendingDays.has(isoWeekday(day)) && !daysOff.has(day)
}

export function isoWeekday(day: Day): Weekday {
  // 0 is Sunday there.
  return (((weekdayOf(numberOfDay(day)) + 6) % 7) + 1) as Weekday
}
