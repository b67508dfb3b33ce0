import dayjs from 'dayjs'
import { Mark, type MarkKind } from '../../../ui/mark.tsx'
import { countOf, weekdayDate } from './days.ts'
import './day-line.css'

/** What goes out on a day, and what does not. */
interface LinedDay {
  readonly day: string
  readonly isSendingDay: boolean
  readonly mails: number
  readonly texts: number
  /** Of both: what an unsaved change adds. */
  readonly added?: number
  /** Steps that end without a message. */
  readonly skipped: number
}

interface DayLineProps {
  readonly days: readonly LinedDay[]
  /** What went out today, which is the first day. Then the line has the needle of now. */
  readonly sentToday?: { readonly mails: number; readonly texts: number }
  readonly chosen: string | null
  /** Null: the days only show. */
  readonly onChoose: ((day: string) => void) | null
}

/** Marks of a day: over 14, twelve and a number. */
const [maxMarks, marksBeforeNumber] = [14, 12]
/** So few days have room for the names of the weekdays. */
const fewDays = 14

/** The name of a month is as wide as so many of thirty days. A shorter rest of a month has none. */
const nameDays = 4

/** One column a day, one mark a message. On phones a calendar of weeks. */
export function DayLine({ days, sentToday, chosen, onChoose }: DayLineProps) {
  const isWide = days.length <= fewDays
  const endsSoon = days.slice(1, nameDays).some(({ day }) => dayjs(day).date() === 1)
  return (
    <ol className={`day-line ${isWide ? 'day-line-wide' : ''}`} aria-label="Messages by day">
      {days.map((day, index) => {
        const date = dayjs(day.day)
        const isFirstOfMonth = index === 0 || date.date() === 1
        const sent = index === 0 ? (sentToday ?? none) : none
        const marks = [...sentMarks(sent), ...marksOf(day)]
        const shown = marks.length > maxMarks ? marks.slice(0, marksBeforeNumber) : marks
        return (
          <li
            key={day.day}
            className={[
              'day-column',
              !day.isSendingDay && 'day-off',
              day.day === chosen && 'day-chosen',
              index === 0 && `day-first-${date.day() || 7}`,
            ]
              .filter(Boolean)
              .join(' ')}
          >
            <button
              type="button"
              aria-pressed={day.day === chosen}
              aria-label={wordsOf(day, sent)}
              disabled={onChoose === null}
              onClick={() => onChoose?.(day.day)}
            >
              {index === 0 && sentToday !== undefined && <span className="day-now">Now</span>}
              {isFirstOfMonth && !(index === 0 && endsSoon) && (
                <span className="day-month">{date.format('MMM YYYY')}</span>
              )}
              <span className="day-marks">
                {shown.map(({ kind, isAdded }, place) => (
                  <Mark key={place} kind={kind} className={isAdded ? 'preview-added' : ''} />
                ))}
                {marks.length > shown.length && (
                  <span className="day-more">{marks.length - shown.length}</span>
                )}
              </span>
              <span className="day-date">
                <span>{date.format(isWide ? 'ddd' : 'dd')}</span>
                <b>
                  {isFirstOfMonth && <em>{date.format('MMM')} </em>}
                  {date.date()}
                </b>
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

const none = { mails: 0, texts: 0 }
type Sent = Readonly<typeof none>
type LinedMark = { readonly kind: MarkKind; readonly isAdded: boolean }

const repeat = (kind: MarkKind, count: number, isAdded = false): readonly LinedMark[] =>
  Array.from({ length: count }, () => ({ kind, isAdded }))

const sentMarks = ({ mails, texts }: Sent) => [...repeat('email', mails), ...repeat('text', texts)]

/** E-mails at the bottom, then texts, skips on top. What the changes add comes last of its kind. */
function marksOf({ mails, texts, added = 0, skipped }: LinedDay): readonly LinedMark[] {
  const addedMails = Math.min(mails, added)
  return [
    ...repeat('email-planned', mails - addedMails),
    ...repeat('email', addedMails, true),
    ...repeat('text-planned', texts - (added - addedMails)),
    ...repeat('text', added - addedMails, true),
    ...repeat('skipped', skipped),
  ]
}

function wordsOf(
  { day, mails, texts, added = 0, skipped, isSendingDay }: LinedDay,
  sent: Sent,
): string {
  return [
    `${weekdayDate(day)}: ${countOf(mails + texts, 'message')}`,
    sent.mails + sent.texts > 0 && `${sent.mails + sent.texts} sent`,
    added > 0 && `${added} added by the changes`,
    skipped > 0 && `${countOf(skipped, 'step')} not sent`,
    !isSendingDay && 'no sending',
  ]
    .filter((words) => words !== false)
    .join(', ')
}
