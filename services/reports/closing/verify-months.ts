import type pg from 'pg'
import type { AccountTotal } from '#contracts/events/close'
import type { StoredEvent } from '#services/event-store/event-store'
import type { Month } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { countOf } from '#services/foundation/format-count'
import type { Queryable } from '#services/foundation/queryable'
import { decimalAmount } from '../formats/decimal-amount.ts'
import { createBooksOfMonths, type ClosedEvent, type MonthFigures } from './books-of-months.ts'
import { recordEvents } from './close-month.ts'
import { figuresOfTable, isClosedEvent, readClosedEvents } from './closed-event-table.ts'
import type { CloseLog, FinishedClose } from './closes.ts'

export interface VerifiedMonth {
  /** Sentences. Empty: the log has exactly the events and the totals of the close. */
  readonly problems: readonly string[]
  /** Whether the rows of app.closed_event are those of the close. */
  readonly hasRows: boolean
}

/** A close, and whether no earlier month is closed. */
export type CloseToVerify = FinishedClose & { readonly isFirst: boolean }

/** The first place at which the log and the closed events differ. Null: no event is there. */
interface Difference {
  readonly index: number
  readonly closed: ClosedEvent | null
  readonly found: ClosedEvent | null
}

/** Verifies closed months while a log is read. */
export interface MonthsVerification {
  /** Takes the next page of the log. @throws UnreadableEvent */
  page(events: readonly StoredEvent[]): Promise<void>
  /** Whether every month was verified, so that no later event matters. */
  isComplete(): boolean
  /** Whether the event that cut off the month was not read yet. */
  isWaiting(month: Month): boolean
  /** What was found, by month. Call it after the last page. */
  verified(): ReadonlyMap<Month, VerifiedMonth>
}

/**
 * Computes the figures of closed months again and compares them with their closes. If they differ,
 * names the first event of the log that is not the one that was closed. Reads the log once for all
 * months. The months must be closed in `timeZone`.
 */
export function createMonthsVerification(
  { pool, codec }: { readonly pool: Queryable; readonly codec: CloseLog['codec'] },
  closes: readonly CloseToVerify[],
  timeZone: TimeZone,
): MonthsVerification {
  const differences = new Map<Month, Difference>()
  const verified = new Map<Month, VerifiedMonth>()
  const waiting = new Map(closes.map((close) => [close.cutOffEventId, close]))
  const books = createBooksOfMonths(codec, closes, timeZone, async (month, events) => {
    if (differences.has(month)) return
    const difference = await firstDifference(pool, month, events)
    if (difference !== null) differences.set(month, difference)
  })

  return {
    async page(events) {
      let booked = 0
      for (const [index, { id }] of events.entries()) {
        const close = waiting.get(id)
        if (close === undefined) continue
        await books.book(events.slice(booked, index))
        booked = index
        waiting.delete(id)
        const { month } = close
        const found = { figures: books.cut(month), difference: differences.get(month) ?? null }
        verified.set(month, await compare(pool, close, found))
      }
      if (waiting.size > 0) await books.book(events.slice(booked))
    },
    isComplete: () => waiting.size === 0,
    isWaiting: (month) => [...waiting.values()].some((close) => close.month === month),
    verified() {
      const missing = [...waiting.values()].map(
        ({ month, cutOffEventId }) =>
          [
            month,
            {
              problems: [`The event ${cutOffEventId}, which cut off ${month}, is missing.`],
              hasRows: true,
            },
          ] as const,
      )
      return new Map([...verified, ...missing])
    },
  }
}

async function compare(
  pool: Queryable,
  { month, closed }: FinishedClose,
  { figures, difference }: { figures: MonthFigures; difference: Difference | null },
): Promise<VerifiedMonth> {
  const table = await figuresOfTable(pool, month)
  const totals = differentTotals(closed.totals, figures.totals)
  const hasRows = isSame(table, closed)
  if (isSame(figures, closed)) return { problems: totals, hasRows }
  const counts =
    figures.events === closed.events
      ? `The root of the ${countOf(figures.events, 'event')} of ${month} is ${figures.root}. It was ${closed.root} at the close.`
      : `${month} has ${countOf(figures.events, 'event')}. It had ${closed.events} at the close.`
  const first = await nameFirst(pool, month, { figures, hasRows, difference })
  return { problems: [counts, first, ...totals], hasRows }
}

/**
 * Verifies closed months and writes the rows of app.closed_event again where only they are wrong:
 * the root proves the log.
 */
export async function verifyMonths(
  parts: CloseLog & { readonly pool: pg.Pool; readonly onEvents?: (count: number) => void },
  closes: readonly CloseToVerify[],
  timeZone: TimeZone,
): Promise<ReadonlyMap<Month, VerifiedMonth & { readonly isTableRewritten: boolean }>> {
  const { pool, store, codec, onEvents = () => undefined } = parts
  const verification = createMonthsVerification({ pool, codec }, closes, timeZone)
  for await (const page of store.readAll(null)) {
    await verification.page(page)
    onEvents(page.length)
    if (verification.isComplete()) break
  }
  const results = new Map<Month, VerifiedMonth & { readonly isTableRewritten: boolean }>()
  for (const [month, verified] of verification.verified()) {
    const close = closes.find((each) => each.month === month)
    const isTableRewritten =
      close !== undefined && verified.problems.length === 0 && !verified.hasRows
    if (isTableRewritten)
      await recordEvents({ pool, store, codec }, { ...close, timeZone }, () =>
        Promise.resolve(close.cutOffEventId),
      )
    results.set(month, { ...verified, isTableRewritten })
  }
  return results
}

type Counted = Pick<MonthFigures, 'events' | 'root'>

function isSame(a: Counted, b: Counted): boolean {
  return a.events === b.events && a.root === b.root
}

async function firstDifference(
  pool: Queryable,
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
  pool: Queryable,
  month: Month,
  {
    figures,
    hasRows,
    difference,
  }: { figures: Counted; hasRows: boolean; difference: Difference | null },
): Promise<string> {
  if (!hasRows)
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
