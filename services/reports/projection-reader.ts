import { reports } from '#contracts/finance/report-columns'
import type { TimeZone } from '#services/finance/time-zone'
import type { ReportRow } from '#services/finance/reports/report-types'
import { HttpError } from '#services/http/http-error'
import type { ReportFile } from './formats/report-file.ts'
import { parametersInWords } from './parameters-in-words.ts'
import type { Coverage, ReportQueries } from './report-queries.ts'
import type { ReportReader, ReportsState } from './report-reader.ts'

/** As many lines as one query returns. */
const pageSize = 2_000

/**
 * Reads reports from the read model. What the read model does not serve, `replay` computes from
 * the log: a report as it was known at a time, in another time zone than the read model's, or of
 * all events while the read model lacks some.
 */
export function createProjectionReader(
  queries: ReportQueries,
  replay: ReportReader,
  timeZone: TimeZone,
): ReportReader {
  return {
    report(name, parameters, request) {
      const { title, columns } = reports[name]
      const { computedAt, signal, ofAllEvents = false } = request
      let position: string | null = null

      async function* replayed() {
        const file = replay.report(name, parameters, request)
        yield* file.rows()
        position = file.position()
      }
      async function* rows(): AsyncGenerator<readonly ReportRow[]> {
        await queries.ready()
        if (ofAllEvents && lacksEvents(await queries.coverage())) return yield* replayed()
        if (name !== 'journal' && name !== 'adjustments') {
          const found = await queries.rows(name, parameters, signal)
          if (found === null) return yield* replayed()
          position = found.position
          if (found.rows.length > 0) yield found.rows
          return
        }
        const covered = await queries.coverage()
        if (!covered.serves(parameters)) return yield* replayed()
        for await (const page of pagesOf(covered, signal, (asked) =>
          queries.lines(name, parameters, asked, signal),
        ))
          yield page.rows
        position = covered.position
      }
      return {
        name,
        title,
        columns,
        parameters: parametersInWords(parameters),
        computedAt,
        position: () => position,
        rows,
      } satisfies ReportFile
    },

    async explain(figure, parameters, asked, signal) {
      await queries.ready()
      return (
        (await queries.events(figure, parameters, asked, signal)) ??
        replay.explain(figure, parameters, asked, signal)
      )
    },

    async state(signal) {
      await queries.ready()
      const covered = await queries.coverage()
      if (!covered.serves({ knownAt: null, timeZone })) return replay.state(signal)
      return {
        firstMonth: covered.firstMonth,
        closedThrough: covered.closedThrough,
        position: covered.position,
        pausedSince: covered.pausedSince,
        parkedCustomers: covered.parkedCustomers,
        skippedEvents: covered.skippedEvents,
      }
    },
  }
}

function lacksEvents({ pausedSince, parkedCustomers, skippedEvents }: ReportsState): boolean {
  return pausedSince !== null || parkedCustomers > 0 || skippedEvents > 0
}

/** The pages of a list, as of the coverage. Ends with an error when `signal` aborts. */
async function* pagesOf<Page extends { readonly next: string | null }>(
  { lastSeq }: Coverage,
  signal: AbortSignal,
  read: (asked: {
    readonly after: string | null
    readonly limit: number
    readonly lastSeq: number
  }) => Promise<Page | null>,
): AsyncGenerator<Page> {
  let after: string | null = null
  do {
    signal.throwIfAborted()
    const page: Page | null = await read({ after, limit: pageSize, lastSeq })
    // A rebuild in another time zone has just replaced the read model.
    if (page === null)
      throw new HttpError(503, 'The data of the reports has just been rebuilt. Please try again.', {
        retryAfterSeconds: 2,
      })
    yield page
    after = page.next
  } while (after !== null)
}
