import { daysBetween, type Day } from '#services/finance/calendar'
import type { ReminderState } from './reminder-state.ts'

/** Why a client gets no further message on a day. Null: it may. */
export function limitOn(
  day: Day,
  { days }: Pick<ReminderState, 'days'>,
  messagesPerWeek: number,
): 'one-a-day' | 'week-limit' | null {
  if (days.last() === day) return 'one-a-day'
  const recent = days.filter((each) => daysBetween(each, day) < 7 && each <= day)
  return recent.size >= messagesPerWeek ? 'week-limit' : null
}
