import { createFoundCheck, type LogCheck } from '#services/event-store/audit/verify-log'
import { UnreadableEvent } from '#services/event-store/errors'
import type { Month } from '#services/finance/calendar'
import { parseTimeZone } from '#services/finance/time-zone'
import { formatCount } from '#services/foundation/format-count'
import type { Queryable } from '#services/foundation/queryable'
import { monthsOfTable } from './closed-event-table.ts'
import { isFinished, readCloses, type CloseLog, type MonthClose } from './closes.ts'
import { createMonthsVerification } from './verify-months.ts'

const subject = 'closed months'

interface CloseCheckParts extends CloseLog {
  readonly pool: Queryable
}

/**
 * The check of a whole log that proves every closed month, as `billing close verify --all`. Reads
 * the closes before the log, so that the log has every cut. Only reads: rows of app.closed_event
 * that are wrong while the log is proven are no problem of the log. `expected` is that of
 * `readCloses`.
 */
export async function createCloseCheck(parts: CloseCheckParts, expected: Month): Promise<LogCheck> {
  // Before the closes: a close that runs meanwhile writes the rows after its cut.
  const months = await monthsOfTable(parts.pool)
  try {
    return checkOf(parts, months, await readCloses(parts, expected))
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    return createFoundCheck(subject, [`No closed month can be proved. ${error.message}`])
  }
}

function checkOf(
  { pool, codec }: CloseCheckParts,
  monthsWithRows: readonly string[],
  closes: readonly MonthClose[],
): LogCheck {
  const earlier = monthsWithoutClose(monthsWithRows, closes)
  const [first] = closes
  if (first === undefined) return createFoundCheck(subject, earlier)
  const timeZone = parseTimeZone(first.timeZone)
  const other = closes.find((close) => close.timeZone !== first.timeZone)
  if (timeZone === null || other !== undefined)
    return createFoundCheck(subject, [
      ...earlier,
      `The close of ${(other ?? first).month} is in the time zone ${(other ?? first).timeZone}, and all closes must be in one time zone: a close was changed.`,
    ])

  const toVerify = closes
    .filter(isFinished)
    .map((close) => ({ ...close, isFirst: close === first }))
  const verification = createMonthsVerification({ pool, codec }, toVerify, timeZone)
  let unreadable: UnreadableEvent | null = null
  return {
    subject,
    async page(events) {
      if (unreadable !== null || verification.isComplete()) return
      try {
        await verification.page(events)
      } catch (error) {
        if (!(error instanceof UnreadableEvent)) throw error
        unreadable = error
      }
    },
    end: () =>
      Promise.resolve({
        problems: [...earlier, ...problemsOf()],
        proven: inWords(toVerify.length),
      }),
  }

  function problemsOf(): readonly string[] {
    return [...verification.verified()].flatMap(([month, { problems }]) => {
      const isOpen = verification.isWaiting(month)
      const why =
        isOpen && unreadable !== null ? [`It cannot be computed. ${unreadable.message}`] : problems
      return why.map((text) => `Month ${month}: ${text}`)
    })
  }
}

/** The table has rows of a month only if the month was cut off. */
function monthsWithoutClose(
  monthsWithRows: readonly string[],
  closes: readonly MonthClose[],
): readonly string[] {
  const closed = new Set<string>(closes.map(({ month }) => month))
  return monthsWithRows
    .filter((month) => !closed.has(month))
    .map(
      (month) =>
        `Month ${month}: the database has the events of its close, and the log has no close of it: the close was removed from the log.`,
    )
}

function inWords(months: number): string | null {
  if (months === 0) return null
  return months === 1
    ? 'The closed month has the events and the totals of its close.'
    : `All ${formatCount(months)} closed months have the events and the totals of their closes.`
}
