import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import { rebuildSchema } from '#projections/engine/rebuild/rebuild'
import { oldSchema } from '#projections/engine/rebuild/swap'
import { verifySchema } from '#projections/engine/rebuild/verify'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { z } from 'zod'
import type { CleanErasedParts } from '#services/accounts/clean-erased'
import type { FarewellParts } from '#services/accounts/farewell'
import type { EventStore } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { rewriteTables } from '#services/postgres/rewrite-tables'

/** Those of the schema `app` that have or had something of a person whom an erasure removes. */
const ownTables = [
  'app.personal_key',
  'app.farewell',
  'app.logo',
  'app.sign_in_code',
  'app.customer_session',
] as const

const personal = readModels.filter(({ personalTables = [] }) => personalTables.length > 0)

/** All tables whose rows an erasure changes: `schema.table`. */
export const tablesOfPersons: readonly string[] = [
  ...ownTables,
  ...personal.flatMap((model) =>
    (model.personalTables ?? []).map((table) => `${schemaOf(model)}.${table}`),
  ),
]

/**
 * In bytes, with indexes. A rewrite of this size takes up to 3 s on a busy machine
 * (docs/operations.md). Pages that read the table wait meanwhile, 5 s at most.
 */
export const largestRewriteWhileRunning = 32 * 2 ** 20

export function cleaningParts({
  connectionString,
  pool,
  keys,
  store,
  log,
  largestBytes,
}: FarewellParts & {
  readonly connectionString: string
  readonly store: Pick<EventStore, 'lastPosition' | 'comparePositions'>
  readonly log: CleanErasedParts['log']
  /** Of a table that is rewritten. */
  readonly largestBytes: number
}): CleanErasedParts {
  return {
    pool,
    keys,
    log,
    isThorough: largestBytes > largestRewriteWhileRunning,
    unfolded: () => unfolded(pool, store),
    olderTables: () => olderTables(pool),
    rewrite: (signal) =>
      rewriteTables({ connectionString, tables: tablesOfPersons, largestBytes, signal }),
  }
}

const foldMs = 2_000
const versionRow = z.object({ name: z.string(), version: z.int() })

async function olderTables(db: Queryable): Promise<readonly string[]> {
  const versions = await allRows(
    db,
    versionRow,
    'SELECT DISTINCT name, version FROM projection.checkpoint ORDER BY name, version',
  )
  return versions
    .filter(({ name, version }) =>
      personal.some((own) => own.name === name && version < own.version),
    )
    .map(schemaOf)
}

const schemaRow = z.object({ name: z.string() })

async function unfolded(
  db: Queryable,
  { lastPosition, comparePositions }: Pick<EventStore, 'lastPosition' | 'comparePositions'>,
): Promise<string | null> {
  // A rebuild folds the erasure later than the live tables.
  const besideLive = (model: (typeof personal)[number]) => [
    rebuildSchema(model),
    oldSchema(model),
    verifySchema(model),
  ]
  const rows = await allRows(
    db,
    schemaRow,
    'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY 1',
    [personal.flatMap(besideLive)],
  )
  const found = new Set(rows.map(({ name }) => name))
  const unfinished = personal.filter((model) => besideLive(model).some((name) => found.has(name)))
  if (unfinished.length > 0) {
    const commands = unfinished.map(({ name }) => `'billing projections rebuild ${name}'`)
    return `A rebuild or a verification of a read model has not ended (${[...found].join(', ')}). If none runs, run ${commands.join(' and ')}.`
  }
  const position = await lastPosition()
  if (
    position === null ||
    (await waitUntilProjected(db, personal, position, foldMs, comparePositions))
  )
    return null
  return "A read model has not folded all events yet. 'billing projections status' shows how far it is."
}
