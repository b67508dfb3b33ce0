import type pg from 'pg'
import {
  isFigure,
  reports as descriptions,
  type ReportColumn,
  type ReportName,
} from '#contracts/finance/report-columns'
import { readReport, type SummaryName } from '#projections/reports/queries/read-report'
import { readEvents } from '#services/admin/history/read-events'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { Figure } from '#services/finance/reports/figure'
import type { FigureEvents } from '#services/finance/reports/figure-event'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { createReportQueries } from '#services/read-side/report-queries'
import { masterKey } from './log/write-log.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const target = 100
const pageSize = 50
/** Of each page of the figures of some rows. Each figure of the other rows has one first page. */
const rounds = 5

/** A figure as the page shows it: of a row, or the total of all rows. */
interface Shown {
  readonly figure: Figure
  /** The value of the row. Null: it is no sum, or the figure is a total. */
  readonly value: number | null
  /** Whether all of its pages are measured and added up. */
  readonly isWalked: boolean
}

/**
 * Measures a page of the events behind every figure of every report, as the route reads it: first
 * page, a middle one and the last one. Adds the events of all pages up, and compares them with the
 * number and the sum of each page and with the figure.
 */
export async function benchFigurePages(
  connectionString: string,
  pool: pg.Pool,
  names: readonly SummaryName[],
  parameters: ReportParameters,
): Promise<readonly Row[]> {
  const queries = createReportQueries(pool, async () => undefined)
  const store = createPostgresEventStore({ connectionString })
  const log = { store, codec: createCodec(createPersonalKeys(pool, masterKey)) }
  const { signal } = new AbortController()
  const read = async (figure: Figure, after: number | null, limit = pageSize) => {
    const page = await queries.events(figure, parameters, { after, limit }, signal)
    if (page === null) throw new Error('The read model does not serve the parameters.')
    return page
  }
  try {
    const rows: Row[] = []
    const answers: number[] = []
    const all: { readonly what: string; readonly ms: number }[] = []
    for (const name of names) {
      const shown = figuresOf(name, (await readReport(pool, name, parameters)) ?? [])
      for (const [column, figures] of byColumn(shown)) {
        const times: number[] = []
        let worst = { what: '', ms: 0 }
        for (const each of figures) {
          const pages = each.isWalked ? await cursorsOf(each, read) : [null]
          for (const [index, after] of pages.entries())
            for (let round = 0; round < (each.isWalked ? rounds : 1); round += 1) {
              const began = performance.now()
              const { events } = await read(each.figure, after)
              const ms = performance.now() - began
              times.push(ms)
              if (ms > worst.ms)
                worst = {
                  what: `page ${index + 1} of ${pages.length}, ${column} of ${JSON.stringify(each.figure.key)}`,
                  ms,
                }
              if (round > 0 || !each.isWalked) continue
              await readEvents(log, events)
              answers.push(performance.now() - began)
            }
        }
        all.push({ what: `${name} ${worst.what}`, ms: worst.ms })
        rows.push(row(`events behind ${name}.${column}`, times, `, ${figures.length} figures`))
      }
    }
    const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
    return [
      ...rows,
      {
        ...row('a page with its events, decrypted', answers, ''),
        details: slowest.map(({ what, ms }) => `slowest page: ${milliseconds(ms)}, ${what}`),
      },
    ]
  } finally {
    await store.close()
  }
}

function row(what: string, times: readonly number[], against: string): Row {
  const p95 = percentile(times, 0.95)
  const worst = Math.max(...times)
  return {
    what,
    measured: `p95 ${milliseconds(p95)}`,
    against: `p50 ${milliseconds(percentile(times, 0.5))}, worst ${milliseconds(worst)} of ${times.length}${against}`,
    target: { text: `p95 < ${target} ms`, isMet: p95 < target },
  }
}

/** Every figure of every row and of the total. All pages: of the first, middle and last row. */
function figuresOf(name: SummaryName, rows: readonly ReportRow[]): readonly Shown[] {
  const walked = new Set([0, Math.floor(rows.length / 2), rows.length - 1])
  const columns: readonly ReportColumn[] = descriptions[name].columns
  return columns.filter(isFigure).flatMap(({ name: column, kind }) => {
    const { months, isSum } = partsOfFigure(name, column)
    const of = rows.map((each, index): Shown => {
      const value = Number(each[column])
      // A balance is on one side of the trial balance; the other one shows 0.
      const isEmptySide = name === 'trial-balance' && value === 0
      const isValue = (kind === 'amount' || kind === 'count') && !isEmptySide
      return {
        figure: { report: name, column, key: keyOf(name, each) },
        value: isValue ? value : null,
        isWalked: walked.has(index),
      }
    })
    if (months !== 'of' || !isSum) return of
    const [{ currency } = {}] = rows
    const key: Figure['key'] = typeof currency === 'string' ? { currency } : {}
    return [...of, { figure: { report: name, column, key }, value: null, isWalked: true }]
  })
}

function byColumn(shown: readonly Shown[]): ReadonlyMap<string, readonly Shown[]> {
  const columns = new Map<string, Shown[]>()
  for (const each of shown) {
    const { column } = each.figure
    columns.set(column, [...(columns.get(column) ?? []), each])
  }
  return columns
}

type Read = (figure: Figure, after: number | null, limit?: number) => Promise<FigureEvents>

/**
 * Where the first, a middle and the last page begin.
 * @throws Error if the events of all pages are not the number and the sum that a page names
 */
async function cursorsOf(
  { figure, value }: Shown,
  read: Read,
): Promise<readonly (number | null)[]> {
  const cursors: (number | null)[] = []
  const found = { total: 0, sum: 0 }
  const { total, sum } = await read(figure, null)
  for (let after: number | null = null; ;) {
    const { events, next }: FigureEvents = await read(figure, after, pageSize * 20)
    for (const [index, { seq, adds }] of events.entries()) {
      if (index % pageSize === 0)
        cursors.push(index === 0 ? after : (events[index - 1]?.seq ?? seq))
      found.total += 1
      found.sum += adds
    }
    after = next
    if (after === null) break
  }
  if (found.total !== total || found.sum !== sum || (value !== null && sum !== value))
    throw new Error(
      `The events behind ${JSON.stringify(figure)} are ${JSON.stringify(found)}, a page says ${JSON.stringify({ total, sum })}, and the report shows ${value}.`,
    )
  if (cursors.length < 3) return cursors.length === 0 ? [null] : cursors
  return [null, cursors[Math.floor(cursors.length / 2)] ?? null, cursors.at(-1) ?? null]
}

/** The texts of the columns that identify the row. */
function keyOf(name: ReportName, row: ReportRow): Figure['key'] {
  return Object.fromEntries(
    descriptions[name].columns
      .filter(({ kind }) => kind === 'month' || kind === 'text' || kind === 'currency')
      .map((column) => [column.name, String(row[column.name] ?? '')]),
  )
}
