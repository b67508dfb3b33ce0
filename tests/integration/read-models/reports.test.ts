import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { schemaOf } from '#projections/engine/read-model'
import { numbered } from '#projections/engine/run/numbered'
import { reportsIn } from '#projections/reports/read-model'
import { explainFigure } from '#projections/reports/queries/explain-figure'
import { readLines } from '#projections/reports/queries/read-lines'
import { readReport, summaryNames } from '#projections/reports/queries/read-report'
import {
  isFigure,
  reports as reportColumns,
  type ReportName,
} from '#contracts/finance/report-columns'
import { createAccountingDates } from '#services/finance/accounting-date'
import type { FinanceEvent } from '#services/finance/finance-event'
import { partOfFigure, type Figure } from '#services/finance/reports/figure'
import type { FigureEvent, FigureEvents } from '#services/finance/reports/figure-event'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import { createFigureEvents } from '#services/reports/figure-events'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { reportByName } from '#services/reports/report-by-name'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  arbitraryCuts,
  arbitraryFinanceEvents,
  stepsOf,
  type Step,
} from '../../support/data/arbitrary-closes.ts'
import { recorded, subscriptionStarted } from '../../support/data/events.ts'
import { day, month, zone } from '../../support/data/finance-values.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const timeZone = zone('America/New_York')
const model = reportsIn(timeZone)

/** The rows of a report, as a replay computes them. */
function replayed(
  name: ReportName,
  parameters: ReportParameters,
  steps: readonly Step[],
): readonly ReportRow[] {
  const dates = createAccountingDates(timeZone)
  const run = reportByName(name).begin(parameters, dates)
  const rows = steps.flatMap((step) => {
    if ('event' in step) return run.add(step.event)
    dates.close(step.close)
    return []
  })
  return plain([...rows, ...run.finish()])
}

/** As JSON has them: without the sign of a zero. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

/** The texts of the columns that identify the row. */
function keyOf(name: ReportName, row: ReportRow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reportColumns[name].columns
      .filter(({ kind }) => kind === 'month' || kind === 'text' || kind === 'currency')
      .map((column) => [column.name, String(row[column.name] ?? '')]),
  )
}

/** All pages of the events behind a figure. Each page has the number and the sum of all. */
async function walk(figure: Figure, parameters: ReportParameters, limit: number) {
  const found: FigureEvent[] = []
  for (let after: number | null = null; ;) {
    const page: FigureEvents | null = await explainFigure(db.pool, figure, parameters, {
      after,
      limit,
    })
    if (page === null) throw new Error('The read model does not serve the parameters.')
    found.push(...page.events)
    after = page.next
    if (after !== null) expect(page.events.length).toBe(limit)
    else return plain({ events: found, total: page.total, sum: page.sum })
  }
}

/** The events behind a figure, as a replay collects them. */
function replayedEvents(figure: Figure, parameters: ReportParameters, steps: readonly Step[]) {
  const dates = createAccountingDates(timeZone)
  // What earlier months added to a stock is part of it.
  const explain = reportByName(figure.report).explain?.({ ...parameters, from: null }, dates)
  const partOf = partOfFigure(figure, parameters)
  const found = createFigureEvents()
  for (const [index, step] of steps.entries())
    if ('close' in step) dates.close(step.close)
    else
      for (const contribution of explain?.(step.event) ?? []) {
        const { stream, revision } = step.event
        const adds = partOf(contribution)
        found.add({ seq: index + 1, stream, revision, day: contribution.day, adds })
      }
  const { events, total, sum } = found.page({ after: null, limit: Infinity })
  return plain({ events, total, sum })
}

/** The log of the steps. */
function logOf(steps: readonly Step[]): readonly RecordedEvent[] {
  return steps.map((step, index) => {
    const position = String(index + 1)
    if ('event' in step) return { ...step.event, position }
    const close = { type: 'MonthCutOff' as const, data: { month: step.close, timeZone } }
    return recorded(`close-${step.close}`, close, { position })
  })
}

function withInvoices(events: readonly FinanceEvent[]): readonly FinanceEvent[] {
  return events.map((event) => {
    const { data, stream } = event
    return 'invoiceRef' in data && 'paymentId' in data
      ? ({
          ...event,
          data: { ...data, invoiceRef: refOf(`in_${stream}_${data.paymentId}`) },
        } as FinanceEvent)
      : event
  })
}

const arbitraryParameters: fc.Arbitrary<ReportParameters> = fc.record({
  from: fc.constantFrom(null, null, month('2026-06'), month('2027-01')),
  to: fc.constantFrom(null, null, month('2026-09'), month('2027-02')),
  asOf: fc.constantFrom(
    day('2026-02-10'),
    day('2026-05-31'),
    day('2026-08-17'),
    day('2027-02-01'),
    day('2027-06-15'),
    day('2031-12-31'),
  ),
  knownAt: fc.constant(null),
  currency: fc.constantFrom(null, null, null, 'eur', 'usd'),
  timeZone: fc.constant(timeZone),
})

describe('the read model of the reports', () => {
  it('has the rows of a replay, whatever is closed and however the log is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryFinanceEvents.map(withInvoices),
        arbitraryCuts,
        fc.integer({ min: 1, max: 30 }),
        fc.array(arbitraryParameters, { minLength: 3, maxLength: 3 }),
        async (events, cuts, batchSize, asked) => {
          const steps = stepsOf(events, cuts)
          await db.given(model, logOf(steps), batchSize)
          for (const parameters of asked)
            for (const name of summaryNames) {
              const rows = plain(await readReport(db.pool, name, parameters))
              expect({ name, rows }).toEqual({ name, rows: replayed(name, parameters, steps) })
            }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has the lines of a replay on its pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryFinanceEvents,
        arbitraryCuts,
        fc.integer({ min: 1, max: 40 }),
        arbitraryParameters,
        async (events, cuts, limit, parameters) => {
          const steps = stepsOf(events, cuts)
          await db.given(model, logOf(steps), 9)
          for (const name of ['journal', 'adjustments'] as const) {
            const rows: ReportRow[] = []
            for (let after: string | null = null; ;) {
              const page = await readLines(db.pool, name, parameters, { after, limit })
              for (const { user_id, ...row } of page?.rows ?? []) {
                expect(user_id).toMatch(/^usr_/)
                rows.push(row)
              }
              after = page?.next ?? null
              if (after === null) break
              expect(page?.rows.length).toBe(limit)
            }
            expect({ name, rows }).toEqual({ name, rows: replayed(name, parameters, steps) })
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('lists the events of a replay behind each figure, on pages with their number and sum', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryFinanceEvents.map(withInvoices),
        arbitraryCuts,
        arbitraryParameters,
        fc.constantFrom(...summaryNames),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 9 }),
        async (events, cuts, parameters, name, limit, which) => {
          const steps = stepsOf(events, cuts)
          await db.given(model, logOf(steps), 11)
          const rows = (await readReport(db.pool, name, parameters)) ?? []
          for (const row of rows.filter((_, index) => index % 5 === which % 5))
            for (const { name: column, kind } of reportColumns[name].columns.filter(isFigure)) {
              const { months, isSum } = partsOfFigure(name, column)
              const { month: _month, ...total } = keyOf(name, row)
              const isTotal = months === 'of' && isSum && which % 2 === 0
              const key = isTotal ? total : keyOf(name, row)
              const figure = { report: name, column, key }
              const walked = await walk(figure, parameters, limit)
              expect({ figure, parameters, walked }).toEqual({
                figure,
                parameters,
                walked: replayedEvents(figure, parameters, steps),
              })
              const isRate = kind !== 'amount' && kind !== 'count'
              if (isTotal || isRate) continue
              // The other side of a balance is 0.
              const shown = name === 'trial-balance' ? Math.max(0, walked.sum) : walked.sum
              expect({ figure, sum: plain(shown) }).toEqual({ figure, sum: row[column] })
            }
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)

  it('has the same rows, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryFinanceEvents,
        arbitraryCuts,
        fc.integer({ min: 1, max: 30 }),
        async (events, cuts, batchSize) => {
          const log = logOf(stepsOf(events, cuts))
          await db.given(model, log)
          const atOnce = await rowsOf(db.pool, model)
          await db.given(model, log, batchSize)
          expect(await rowsOf(db.pool, model)).toEqual(atOnce)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('leaves to a replay what it does not serve', async () => {
    const started = subscriptionStarted('usr_1', {}, { position: '1' })
    const parameters: ReportParameters = {
      from: null,
      to: null,
      asOf: day('2026-12-31'),
      knownAt: null,
      currency: null,
      timeZone,
    }
    const answers = async (asked: Partial<ReportParameters>) => {
      const given = { ...parameters, ...asked }
      const first = { after: null, limit: 1 }
      const key = { month: '2026-03' }
      const figure = {
        report: 'subscriptions',
        column: 'active',
        key,
      } as const
      return [
        await readReport(db.pool, 'subscriptions', given),
        await readLines(db.pool, 'journal', given, first),
        await explainFigure(db.pool, figure, given, { after: null, limit: 1 }),
      ].map((answer) => answer !== null)
    }
    await db.given(model, [started])
    expect(await answers({})).toEqual([true, true, true])
    expect(await answers({ knownAt: day('2026-12-31') })).toEqual([false, false, false])
    expect(await answers({ timeZone: zone('UTC') })).toEqual([false, false, false])

    const close = { type: 'MonthCutOff' as const, data: { month: '2026-03', timeZone: 'UTC' } }
    await db.given(model, [started, recorded('close-2026-03', close, { position: '2' })])
    expect(await answers({})).toEqual([false, false, false])
  })

  it('keeps the time zone of its first batch until it is rebuilt', async () => {
    // 2026-04-01 in UTC, and 2026-03-31 in New York.
    const place = { occurredAt: '2026-04-01T02:00:00.000Z' }
    const events = ['usr_1', 'usr_2'].map((user, index) =>
      subscriptionStarted(
        user,
        { subscriptionId: `subscription_${user}` },
        { ...place, position: String(index + 1) },
      ),
    )
    const connection = await db.projecting.connect()
    try {
      await db.given(model, events.slice(0, 1))
      await reportsIn(zone('UTC')).project(
        numbered(events.slice(1), 1),
        connection,
        schemaOf(model),
      )
    } finally {
      connection.release()
    }
    const { rows: days } = await db.pool.query<{ day: string }>(
      `SELECT DISTINCT day FROM ${schemaOf(model)}.figure_event`,
    )
    expect(days).toEqual([{ day: '2026-03-31' }])
  })
})
