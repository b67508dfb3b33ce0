import type pg from 'pg'
import type { AccountTotal } from '#contracts/events/close'
import type { Month } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { countOf } from '#services/foundation/format-count'
import { decimalAmount } from '../formats/decimal-amount.ts'
import { recordEvents } from './close-month.ts'
import { figuresOfTable, isClosedEvent, readClosedEvents } from './closed-event-table.ts'
import type { CloseLog, FinishedClose } from './closes.ts'
import { createMonthReader, type ClosedEvent, type MonthFigures } from './read-month.ts'

export interface VerifiedMonth {
  /** Sentences. Empty: the log has exactly the events and the totals of the close. */
  readonly problems: readonly string[]
  /** Whether the rows of app.closed_event were wrong and were written again from the proven log. */
  readonly isTableRewritten: boolean
}

/** The first place at which the log and the closed events differ. Null: no event is there. */
interface Difference {
  readonly index: number
  readonly closed: ClosedEvent | null
  readonly found: ClosedEvent | null
}

type VerifyParts = CloseLog & {
  readonly pool: pg.Pool
  readonly onEvents?: (count: number) => void
}

/**
 * Computes the figures of a closed month again and compares them with its close. If they differ,
 * names the first event of the log that is not the one that was closed.
 */
export async function verifyMonth(
  parts: VerifyParts,
  { month, closed }: FinishedClose,
  { isFirst, timeZone }: { readonly isFirst: boolean; readonly timeZone: TimeZone },
): Promise<VerifiedMonth> {
  const { pool, onEvents } = parts
  const { cutOffEventId } = closed
  const toRead = { month, isFirst, timeZone }
  let difference: Difference | null = null
  const reader = createMonthReader(parts, toRead, {
    onClosedEvents: async (events) => {
      difference ??= await firstDifference(pool, month, events)
    },
    onEvents,
  })
  const figures = await reader.readToCut(cutOffEventId)
  if (figures === null)
    return {
      problems: [`The event ${cutOffEventId}, which cut off ${month}, is missing.`],
      isTableRewritten: false,
    }
  const table = await figuresOfTable(pool, month)
  const totals = differentTotals(closed.totals, figures.totals)
  if (isSame(figures, closed)) {
    const isTableRewritten = totals.length === 0 && !isSame(table, closed)
    if (isTableRewritten)
      await recordEvents({ pool, store: parts.store, codec: parts.codec }, toRead, () =>
        Promise.resolve(cutOffEventId),
      )
    return { problems: totals, isTableRewritten }
  }
  const counts =
    figures.events === closed.events
      ? `The root of the ${countOf(figures.events, 'event')} of ${month} is ${figures.root}. It was ${closed.root} at the close.`
      : `${month} has ${countOf(figures.events, 'event')}. It had ${closed.events} at the close.`
  return {
    problems: [
      counts,
      await nameFirst(pool, month, { figures, table, closed, difference }),
      ...totals,
    ],
    isTableRewritten: false,
  }
}

type Counted = Pick<MonthFigures, 'events' | 'root'>

function isSame(a: Counted, b: Counted): boolean {
  return a.events === b.events && a.root === b.root
}

async function firstDifference(
  pool: pg.Pool,
  month: Month,
  events: readonly ClosedEvent[],
): Promise<Difference | null> {
  const rows = await readClosedEvents(pool, month, events[0]?.index ?? 0, events.length)
  for (const [place, found] of events.entries()) {
    const closed = rows[place] ?? null
    if (closed?.eventId !== found.eventId || closed.hash !== found.hash)
      return { index: found.index, closed, found }
  }
  return null
}

/** Names the first event that differs, if the rows of the table are those of the close. */
async function nameFirst(
  pool: pg.Pool,
  month: Month,
  {
    figures,
    table,
    closed,
    difference,
  }: { figures: Counted; table: Counted; closed: Counted; difference: Difference | null },
): Promise<string> {
  if (!isSame(table, closed))
    return "The rows of app.closed_event are not those of the close either, so the first event that differs cannot be named. Restore the table from a backup, or run 'billing events verify'."
  const [next] = difference ? [] : await readClosedEvents(pool, month, figures.events, 1)
  const {
    index,
    closed: was,
    found,
  } = difference ?? {
    index: figures.events,
    closed: next ?? null,
    found: null,
  }
  const place = `event ${index + 1} of the month`
  if (found !== null && was?.eventId === found.eventId)
    return `The first event that is not the closed one is ${found.eventId}, ${place}: its content was changed.`
  if (found !== null && !(await isClosedEvent(pool, month, found.eventId)))
    return `The first event that is not the closed one is ${found.eventId}, ${place}: it was inserted.`
  return `The first closed event that the month does not have at its place is ${was?.eventId}, ${place}: it was removed, or its date or order was changed.`
}

function differentTotals(
  before: readonly AccountTotal[],
  now: readonly AccountTotal[],
): readonly string[] {
  const keyOf = ({ account, currency }: AccountTotal) => `${account} ${currency}`
  const [was, is] = [before, now].map(
    (totals) => new Map(totals.map((each) => [keyOf(each), each])),
  )
  const keys = [...new Set([...before, ...now].map(keyOf))]
  return keys.flatMap((key) => {
    const [old, fresh] = [was?.get(key), is?.get(key)]
    if (old?.debit === fresh?.debit && old?.credit === fresh?.credit) return []
    return `The total of ${key} is ${inWords(fresh)}. It was ${inWords(old)} at the close.`
  })
}

function inWords(total: AccountTotal | undefined): string {
  if (total === undefined) return 'nothing'
  const { debit, credit, currency } = total
  return `debit ${decimalAmount(debit, currency)} and credit ${decimalAmount(credit, currency)}`
}
