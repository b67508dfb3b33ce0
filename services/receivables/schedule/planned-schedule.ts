import { dayOf } from '../day-of.ts'
import type { Schedule as PlannedSchedule, Weekday } from '../reminders/schedule.ts'
import type { Schedule } from './schedule.ts'

/** The schedule of the log, as the planner needs it. */
export function plannedSchedule(schedule: Schedule): PlannedSchedule {
  return {
    ...schedule,
    sendingDays: new Set(schedule.sendingDays.filter(isWeekday)),
    daysOff: new Set(schedule.daysOff.map(dayOf)),
  }
}

/** ISO 8601: 1 is Monday, 7 is Sunday. */
function isWeekday(day: number): day is Weekday {
  return Number.isInteger(day) && day >= 1 && day <= 7
}
