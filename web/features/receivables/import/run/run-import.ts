import type { ImportSummary, SentRow } from '#contracts/receivables/imports'
import type {
  FinishImportRequest,
  StartImportRequest,
  StoredImport,
} from '../../../../api/imports-api.ts'
import { errorText, isRefusal } from '../../../../lib/http.ts'
import { partsToStore } from './parts-of-rows.ts'

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
}

/** The calls of the server. None of them throws. */
export interface ImportCalls {
  readonly start: (key: string, body: StartImportRequest) => Promise<Answer<{ importId: string }>>
  readonly stored: (importId: string) => Promise<Answer<StoredImport>>
  readonly store: (importId: string, rows: readonly SentRow[]) => Promise<Answer<object>>
  readonly finish: (importId: string, body: FinishImportRequest) => Promise<Answer<ImportSummary>>
}

export interface ImportPlan {
  /** A repeated start with the same key is the same import. */
  readonly key: string
  readonly file: Omit<StartImportRequest, 'rows'>
  /** All rows of the file that the browser accepted, in the order of the file. */
  readonly rows: readonly SentRow[]
  readonly finish: FinishImportRequest
}

export interface Progress {
  readonly stored: number
  readonly total: number
  /** The number of the first row that is not stored, as in the file. Null: all are stored. */
  readonly nextRow: number | null
}

export type RunReport =
  | (Progress & { readonly kind: 'sending' })
  /** No answer: the call is repeated in so many milliseconds. */
  | (Progress & { readonly kind: 'waiting'; readonly ms: number })

export type RunEnd =
  | (Progress & {
      readonly kind: 'stopped'
      readonly importId: string | null
      /** Why the server refused to continue. Null: the merchant stopped it. */
      readonly problem: string | null
    })
  | {
      readonly kind: 'done'
      readonly importId: string
      readonly summary: ImportSummary
    }

export interface RunParts {
  readonly calls: ImportCalls
  readonly report: (report: RunReport) => void
  /** Resolves after the time, or sooner when the merchant wants it. */
  readonly wait: (ms: number) => Promise<void>
  readonly isStopped: () => boolean
}

const pausesMs = [4_000, 8_000, 15_000, 30_000] as const

class Refused extends Error {}
class Stopped extends Error {}

/**
 * Sends the rows of an import that are not stored yet, and finishes it. `begun` is the import to
 * continue, or null to start one. A lost answer is asked for again, so that no row is stored twice.
 */
export async function runImport(
  { key, file, rows, finish }: ImportPlan,
  begun: string | null,
  { calls, report, wait, isStopped }: RunParts,
): Promise<RunEnd> {
  let waiting = rows
  let importId = begun
  const progress = (): Progress => ({
    stored: rows.length - waiting.length,
    total: rows.length,
    nextRow: waiting[0]?.row ?? null,
  })
  const stopped = (problem: string | null): RunEnd => ({
    kind: 'stopped',
    importId,
    problem,
    ...progress(),
  })

  async function answered<Data>(call: () => Promise<Answer<Data>>): Promise<Data> {
    for (let tries = 0; ; tries += 1) {
      if (isStopped()) throw new Stopped()
      const { data, error } = await call()
      if (data !== undefined) return data
      // A server that is restarted or busy answers later.
      if (isRefusal(error)) throw new Refused(errorText(error, noReason))
      if (isStopped()) throw new Stopped()
      const ms = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? pausesMs[0]
      report({ kind: 'waiting', ms, ...progress() })
      await wait(ms)
    }
  }

  try {
    report({ kind: 'sending', ...progress() })
    if (importId === null) {
      const body = { ...file, rows: rows.length }
      importId = (await answered(() => calls.start(key, body))).importId
    } else {
      const id = importId
      const stored = await answered(() => calls.stored(id))
      waiting = withoutStored(rows, stored.storedRows)
    }
    const id = importId
    for (const part of partsToStore(waiting)) {
      report({ kind: 'sending', ...progress() })
      await answered(() => calls.store(id, part))
      waiting = waiting.slice(part.length)
    }
    report({ kind: 'sending', ...progress() })
    const summary = await answered(() => calls.finish(id, finish))
    return { kind: 'done', importId: id, summary }
  } catch (error) {
    if (error instanceof Refused) return stopped(error.message)
    if (error instanceof Stopped) return stopped(null)
    throw error
  }
}

const noReason = 'The server refused to continue. Try again.'

function withoutStored(
  rows: readonly SentRow[],
  ranges: readonly (readonly [number, number])[],
): readonly SentRow[] {
  const stored = new Set<number>()
  for (const [first, last] of ranges) for (let row = first; row <= last; row += 1) stored.add(row)
  return rows.filter(({ row }) => !stored.has(row))
}
