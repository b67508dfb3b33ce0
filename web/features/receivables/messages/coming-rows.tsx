import { useState, type ReactNode } from 'react'
import type { ComingMessages, ComingStep } from '#contracts/receivables/messages'
import { Button } from '../../../ui/button.tsx'
import { Mark, type MarkKind } from '../../../ui/mark.tsx'
import { clockTime, countOf, fullDay, type Day } from '../shared/days.ts'
import { messageName, plannedMark, reasonsOf } from './message-words.ts'

interface ComingRowsProps {
  readonly coming: ComingMessages
  readonly timeZone: string
  /** The page's invoice. Null on the page of a client. */
  readonly receivableId: string | null
  /** Null: the merchant may change nothing. */
  readonly onSkip: ((step: ComingStep) => void) | null
}

/** Without a day it waits for a payment, or the end of a hold, a promise or a dispute. */
interface ComingRow {
  readonly key: string
  readonly day: Day | null
  readonly mark: MarkKind
  readonly title: string
  readonly sentence: string
  readonly at: string | null
  /** Of the page's invoice. */
  readonly step: ComingStep | null
}

/** So many days show at first. */
const firstDays = 4

/** What comes, above the row of now: the latest day first. */
export function ComingRows({ coming, timeZone, receivableId, onSkip }: ComingRowsProps) {
  const [isWhole, setWhole] = useState(false)
  const days = byDay(rowsOf(coming, receivableId))
  const shown = isWhole ? days : days.slice(-firstDays)
  const hidden = days.length - shown.length
  if (days.length === 0) return null
  return (
    <>
      {hidden > 0 && (
        <p className="history-more history-later">
          <Button look="line" onClick={() => setWhole(true)}>
            Show {countOf(hidden, 'later day')}
          </Button>
        </p>
      )}
      {shown.map(([day, rows]) => (
        <section key={day} className="history-day history-coming">
          <h3>{day === '' ? 'No day yet' : fullDay(day)}</h3>
          <ol>
            {rows.map((row) => (
              <Row key={row.key} row={row} timeZone={timeZone}>
                {row.step !== null && onSkip !== null && <SkipButton row={row} onSkip={onSkip} />}
              </Row>
            ))}
          </ol>
        </section>
      ))}
    </>
  )
}

function Row({
  row: { mark, title, sentence, at },
  timeZone,
  children,
}: {
  readonly row: ComingRow
  readonly timeZone: string
  readonly children: ReactNode
}) {
  return (
    <li>
      <Mark kind={mark} />
      <div>
        <b>{title}</b>
        <p dir="auto">{sentence}</p>
        {children}
      </div>
      {at !== null && <time dateTime={at}>{clockTime(at, timeZone)}</time>}
    </li>
  )
}

function SkipButton({
  row: { step, title, day },
  onSkip,
}: {
  readonly row: ComingRow
  readonly onSkip: (step: ComingStep) => void
}) {
  if (step === null) return null
  return (
    <Button look="link" onClick={() => onSkip(step)}>
      Skip this step
      <span className="sr-only">
        : {title}
        {day !== null && ` of ${fullDay(day)}`}
      </span>
    </Button>
  )
}

function rowsOf(
  { messages, skips, waiting }: ComingMessages,
  receivableId: string | null,
): readonly ComingRow[] {
  const withNumber = (step: ComingStep, text: string) =>
    receivableId === null ? `${step.number}: ${text}` : text
  // On the page of an invoice each of its steps has a row.
  const groupOf = (step: ComingStep) => (receivableId === null ? step.reason : keyOf(step))
  return [
    ...messages.map((message): ComingRow => {
      const own = message.steps.filter((step) => step.receivableId === receivableId)
      return {
        key: `${message.at} ${message.channel}`,
        day: message.day,
        mark: plannedMark(message.channel),
        title: message.isByHand ? `${messageName(message)}, sent by hand` : messageName(message),
        sentence: reasonsOf(message, receivableId),
        at: message.at,
        step: own.length === 1 && !message.isByHand ? (own[0] ?? null) : null,
      }
    }),
    ...alike(skips, (step) => `${step.day} ${groupOf(step)}`).map(([step, count]): ComingRow => ({
      key: `skip ${keyOf(step)}`,
      day: step.day,
      mark: 'skipped',
      title: count === 1 ? `${messageName(step)}, does not go out` : `${count} steps do not go out`,
      sentence: count === 1 ? withNumber(step, step.reason) : step.reason,
      at: null,
      step: null,
    })),
    ...alike(waiting, groupOf).map(([step, count]): ComingRow => ({
      key: `wait ${keyOf(step)}`,
      day: null,
      mark: plannedMark(step.channel),
      title: count === 1 ? `${messageName(step)}, waits` : `${count} steps wait`,
      sentence: count === 1 ? withNumber(step, step.reason) : step.reason,
      at: null,
      step: count === 1 && step.receivableId === receivableId ? step : null,
    })),
  ]
}

/** Steps with one reason are one row: a client may have hundreds of invoices. */
function alike<Step extends ComingStep>(
  steps: readonly Step[],
  reasonOf: (step: Step) => string,
): readonly (readonly [Step, number])[] {
  const groups = new Map<string, readonly [Step, number]>()
  for (const step of steps) {
    const [first, count] = groups.get(reasonOf(step)) ?? [step, 0]
    groups.set(reasonOf(step), [first, count + 1])
  }
  return [...groups.values()]
}

const keyOf = ({ receivableId, stepId, repetition }: ComingStep) =>
  `${receivableId} ${stepId} ${repetition}`

/** The latest day first; what has no day is on top. */
function byDay(rows: readonly ComingRow[]): readonly (readonly [string, readonly ComingRow[]])[] {
  const days = new Map<string, ComingRow[]>()
  for (const row of rows) days.set(row.day ?? '', [...(days.get(row.day ?? '') ?? []), row])
  return [...days].toSorted(([one], [other]) =>
    one === '' ? -1 : other === '' ? 1 : one < other ? 1 : -1,
  )
}
