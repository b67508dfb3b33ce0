import { Link } from 'react-router-dom'
import type { SchedulePreview } from '#contracts/receivables/schedule'
import { Mark } from '../../../ui/mark.tsx'
import { money } from '../shared/amounts.ts'
import { countOf, longDay } from '../shared/days.ts'
import { kindOf } from './schedule-words.ts'

interface DayMessagesProps {
  readonly day: SchedulePreview['days'][number]
  readonly messages: SchedulePreview['messages']
  readonly today: string
}

/** Messages of a day that are named. The rest are a number. */
const max = 20

/** The messages of the chosen day: to whom, about what, and why on that day. */
export function DayMessages({ day, messages, today }: DayMessagesProps) {
  const ofDay = messages.filter((message) => message.day === day.day)
  const shown = ofDay.slice(0, max)
  const count = day.mails + day.texts
  return (
    <div className="day-messages">
      <h3>
        {day.day === today ? 'Today' : longDay(day.day)}: {countOf(count, 'message')}
      </h3>
      <ul>
        {shown.map((message) => (
          <li key={message.clientId}>
            <Mark
              kind={message.channel === 'text' ? 'text-planned' : 'email-planned'}
              className={message.isAdded ? 'preview-added' : ''}
            />
            <div>
              <p>
                <Link
                  to={`/receivables/clients/${encodeURIComponent(message.clientId)}`}
                  dir="auto"
                >
                  {message.clientName}
                </Link>{' '}
                <span className="day-kind">
                  {kindOf({ ...message, offset: 0 })}
                  {message.isAdded && ', added by the changes'}
                </span>
              </p>
              {message.invoices.map(({ receivableId, number, open, currency, reason }, place) => (
                <p key={`${receivableId} ${place}`} className="day-reason">
                  <Link to={`/receivables/invoices/${encodeURIComponent(receivableId)}`}>
                    {number}
                  </Link>
                  , {money(open, currency)}. {reason}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {count > shown.length && <p>{countOf(count - shown.length, 'more message')}.</p>}
    </div>
  )
}
