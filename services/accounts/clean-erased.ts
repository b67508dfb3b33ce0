import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { integerColumn } from '#services/foundation/columns'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import type { Queryable } from '#services/foundation/queryable'
import { repeat } from '#services/foundation/repeat'
import { allRows, oneRow } from '#services/foundation/rows'
import type { Sleep } from '#services/foundation/sleep'
import type { RewrittenTables } from '#services/postgres/rewrite-tables'
import type { ErasureLease } from './erase-unverified.ts'
import { clearFarewells, type FarewellParts } from './farewell.ts'

/*
 * An erasure replaces rows, and the database's files still have the old versions. So the files of
 * the tables that had texts of erased persons and enquiries are written again, once for all
 * erasures since the last time.
 */

export interface CleanErasedParts extends FarewellParts {
  readonly log: WarningLog & { info(fields: object, message: string): void }
  /**
   * Why a table can still have a row of an erased person, in a sentence. Null: every read model has
   * folded all events of the log.
   */
  readonly unfolded: () => Promise<string | null>
  /** Tables of earlier releases, which no process folds: they keep the texts of erased persons. */
  readonly olderTables: () => Promise<readonly string[]>
  /** Vacuums the tables that had texts of persons, and rewrites those that are not too large. */
  readonly rewrite: (signal: AbortSignal) => Promise<RewrittenTables>
  /** Whether tables that were too large for an earlier run are not for this one. */
  readonly isThorough: boolean
}

export type CleanedErased =
  | { readonly kind: 'nothing' }
  /** Read models are behind. The next run tries again. */
  | { readonly kind: 'waits'; readonly reason: string }
  | ({ readonly kind: 'cleaned'; readonly erasures: number } & RewrittenTables)

const subjectRow = z.object({ subject: z.string() })

/**
 * Rewrites the files after erasures. An erasure of a person whose stream is parked waits, because
 * the read model still has the rows.
 * @throws NotRewritten, or if the database fails. The next run tries again.
 */
export async function cleanErased(
  parts: CleanErasedParts,
  signal: AbortSignal,
): Promise<CleanedErased> {
  const { pool, isThorough } = parts
  const due = await allRows(
    pool,
    subjectRow,
    `SELECT subject FROM app.personal_key k
     WHERE erased_at IS NOT NULL AND cleaned_at IS NULL AND ($1 OR vacuumed_at IS NULL) AND NOT EXISTS (
       SELECT FROM projection.parked_stream p
       WHERE p.partition_key IN (k.subject, split_part(k.subject, '/', 2)))`,
    [isThorough],
  )
  if (due.length === 0) return { kind: 'nothing' }
  const reason = await parts.unfolded()
  if (reason !== null) return { kind: 'waits', reason }
  const done = await parts.rewrite(signal)
  const isClean = done.tooLarge.length === 0 && done.refused.length === 0
  await pool.query(
    `UPDATE app.personal_key SET vacuumed_at = now(), cleaned_at = CASE WHEN $2 THEN now() END
     WHERE subject = ANY ($1)`,
    [due.map(({ subject }) => subject), isClean],
  )
  await report(done, due.length, parts)
  return { kind: 'cleaned', erasures: due.length, ...done }
}

async function report(
  done: RewrittenTables,
  erasures: number,
  { log, olderTables }: CleanErasedParts,
): Promise<void> {
  const older = await olderTables()
  if (older.length > 0)
    log.warn(
      { tables: older },
      "Tables of an earlier release still have texts of erased persons. If no process of that release runs, remove them with 'billing projections drop'.",
    )
  log.info(
    { erasures, rewritten: done.rewritten.length },
    'The files of the tables with texts of erased persons are rewritten.',
  )
  if (done.tooLarge.length > 0)
    log.warn(
      { tables: done.tooLarge },
      "These tables are large, so they were vacuumed and not rewritten: free space in their files can still have texts of erased persons. Run 'billing maintain' when few customers are online.",
    )
  if (done.refused.length > 0)
    log.warn(
      { tables: done.refused },
      "The role of DATABASE_URL may not rewrite these tables, so their files can still have texts of erased persons. Make the role the owner of the database, then run 'billing maintain'.",
    )
}

const uncleanedRow = z.object({ count: integerColumn, ageSeconds: z.number() })

/** The erasures of which the files can still have texts, and the age of the oldest one or 0. */
export function uncleanedErasures(
  db: Queryable,
): Promise<{ readonly count: number; readonly ageSeconds: number }> {
  return oneRow(
    db,
    uncleanedRow,
    `SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(erased_at)), 0)::float8 AS "ageSeconds"
     FROM app.personal_key WHERE erased_at IS NOT NULL AND cleaned_at IS NULL`,
  )
}

const isDueRow = z.object({ isDue: z.boolean() })

async function isDue(db: Queryable): Promise<boolean> {
  const row = await oneRow(
    db,
    isDueRow,
    `SELECT EXISTS (SELECT FROM app.personal_key
       WHERE erased_at IS NOT NULL AND cleaned_at IS NULL AND vacuumed_at IS NULL) AS "isDue"`,
  )
  return row.isDue
}

const checkMs = 10_000
/** From one rewrite to the next: tables are locked meanwhile, and one rewrite serves many. */
const restMs = 10 * 60_000
/** While read models are behind. */
const waitMs = 60_000
const farewellsMs = 60 * 60_000

/**
 * Cleans after erasures while the product runs, in one process at a time. The returned function
 * stops a rewrite in progress; the next start repeats it.
 */
export function startCleaningErased(
  parts: CleanErasedParts & {
    readonly takeLease: () => Promise<ErasureLease | null>
    /** Waits between two looks. For tests only. */
    readonly sleep?: Sleep
  },
): () => Promise<void> {
  const stop = new AbortController()
  let cleaningAt = -Infinity
  let clearingAt = -Infinity
  let reported: string | null = null

  async function runIfDue(): Promise<void> {
    const now = performance.now()
    const isFarewellDue = now >= clearingAt
    const isCleaningDue = now >= cleaningAt && (await isDue(parts.pool))
    if (!isFarewellDue && !isCleaningDue) return
    const lease = await parts.takeLease()
    if (lease === null) return
    try {
      if (isFarewellDue) await clearFarewells(parts)
      clearingAt = now + farewellsMs
      if (!isCleaningDue) return
      const cleaned = await cleanErased(parts, AbortSignal.any([stop.signal, lease.lost]))
      cleaningAt = performance.now() + (cleaned.kind === 'waits' ? waitMs : restMs)
      const reason = cleaned.kind === 'waits' ? cleaned.reason : null
      if (reason !== null && reason !== reported)
        parts.log.warn({ reason }, "The database's files are rewritten after an erasure later.")
      reported = reason
    } finally {
      await lease.release()
    }
  }

  const running = repeat(runIfDue, {
    everyMs: checkMs,
    backoff: createBackoff({ firstMs: 10_000, longestMs: 10 * 60_000 }),
    outage: createOutageLog(parts.log, {
      began: "Rewriting the database's files after an erasure failed; retrying with backoff.",
      lasts: "Rewriting the database's files after an erasure still fails.",
      over: "The database's files are rewritten after erasures again.",
    }),
    signal: stop.signal,
    sleep: parts.sleep,
  })
  return async () => {
    stop.abort()
    await running
  }
}
