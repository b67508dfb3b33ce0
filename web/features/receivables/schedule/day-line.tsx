import dayjs from 'dayjs'
import type { SchedulePreview } from '#contracts/receivables/schedule'
import { Mark, type MarkKind } from '../../../ui/mark.tsx'
import { countOf, weekdayDate } from '../shared/days.ts'
import './day-line.css'

type PreviewedDay = SchedulePreview['days'][number]

interface DayLineProps {
  readonly days: readonly PreviewedDay[]
  readonly chosen: string | null
  /** Null: the days only show. */
  readonly onChoose: ((day: string) => void) | null
}

/** Marks of a day: over 14, twelve and a number. */
const [mostMarks, marksBeforeNumber] = [14, 12]

/** One column a day, one mark a message. On phones a calendar of weeks. */
export function DayLine({ days, chosen, onChoose }: DayLineProps) {
  return (
    <ol className="day-line" aria-label="Messages by day">
      {days.map((day, index) => {
        const date = dayjs(day.day)
        const isFirstOfMonth = index === 0 || date.date() === 1
        const marks = marksOf(day)
        const shown = marks.length > mostMarks ? marks.slice(0, marksBeforeNumber) : marks
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
              aria-label={wordsOf(day)}
              disabled={onChoose === null}
              onClick={() => onChoose?.(day.day)}
            >
              {isFirstOfMonth && <span className="day-month">{date.format('MMM YYYY')}</span>}
              <span className="day-marks">
                {shown.map(({ kind, isAdded }, place) => (
                  <Mark key={place} kind={kind} className={isAdded ? 'preview-added' : ''} />
                ))}
                {marks.length > shown.length && (
                  <span className="day-more">{marks.length - shown.length}</span>
                )}
              </span>
              <span className="day-date">
                <span>{date.format('dd')}</span>
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

/** E-mails at the bottom, then texts, skips on top. What the changes add comes last of its kind. */
function marksOf({
  mails,
  texts,
  added,
  skipped,
}: PreviewedDay): readonly { readonly kind: MarkKind; readonly isAdded: boolean }[] {
  const addedMails = Math.min(mails, added)
  const repeat = (kind: MarkKind, count: number, isAdded = false) =>
    Array.from({ length: count }, () => ({ kind, isAdded }))
  return [
    ...repeat('email-planned', mails - addedMails),
    ...repeat('email', addedMails, true),
    ...repeat('text-planned', texts - (added - addedMails)),
    ...repeat('text', added - addedMails, true),
    ...repeat('skipped', skipped),
  ]
}

function wordsOf({ day, mails, texts, added, skipped, isSendingDay }: PreviewedDay): string {
  return [
    `${weekdayDate(day)}: ${countOf(mails + texts, 'message')}`,
    added > 0 && `${added} added by the changes`,
    skipped > 0 && `${countOf(skipped, 'step')} not sent`,
    !isSendingDay && 'no sending',
  ]
    .filter((words) => words !== false)
    .join(', ')
}
