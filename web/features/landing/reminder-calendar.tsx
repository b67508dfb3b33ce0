import { Mark, type MarkKind } from '../../ui/mark.tsx'
import './reminder-calendar.css'

const marks: Readonly<Record<number, MarkKind>> = {
  0: 'sent',
  3: 'email',
  7: 'text',
  10: 'email',
  12: 'text',
  14: 'paid',
}
const days = Array.from({ length: 15 }, (_, day) => day)

/** A scale of two weeks with the reminders of one invoice. */
export function ReminderCalendar() {
  return (
    <div className="calendar" aria-hidden="true">
      {days.map((day) => {
        const mark = marks[day]
        return (
          <span key={day} className={day % 7 === 0 ? 'calendar-week' : undefined}>
            {mark && <Mark kind={mark} />}
            {day % 7 === 0 && <em>{day === 0 ? 'Day 0' : day}</em>}
          </span>
        )
      })}
    </div>
  )
}
