import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { z } from 'zod'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { history } from '#projections/history/read-model'
import { readModels } from '#projections/read-models'
import { handledTypes, type ReadModel } from '#projections/engine/read-model'
import {
  currentEventSchemas,
  type EventSchemas,
} from '../../../scripts/stored-schemas/event-schemas.ts'
import { arbitraryHistoryOf } from '../data/arbitrary-history.ts'
import { rowsOf, type ReadModelFixture } from './read-model-fixture.ts'

const fingerprint = z.strictObject({
  version: z.int(),
  /** Of the DDL. */
  tables: z.string(),
  /** Of the DDL of the indexes. */
  indexes: z.string(),
  /** Of the values that the enums and kinds of the folded payloads can have. */
  values: z.string(),
  /** Of the events that were folded. */
  histories: z.string(),
  /** Of the rows that these events give. */
  rows: z.string(),
})
export type Fingerprint = z.infer<typeof fingerprint>
const fingerprintFile = z.record(z.string(), fingerprint)

const file = new URL('../../../projections/fingerprints.json', import.meta.url)

export function committedFingerprints(): Readonly<Record<string, Fingerprint>> {
  return existsSync(file) ? fingerprintFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}

export function writeFingerprints(of: Readonly<Record<string, Fingerprint>>): void {
  const inOrder = Object.fromEntries(readModels.map(({ name }) => [name, of[name]]))
  writeFileSync(file, `${JSON.stringify(inOrder, null, 2)}\n`)
}

/** The types that a read model folds. `history` has a row of each event, whatever its type. */
export const foldedTypes = [
  ...new Set(
    readModels
      .filter(({ name }) => name !== history.name)
      .flatMap((model) => [...handledTypes(model)]),
  ),
]

/** The same histories in every run: they contain each of the folded types. */
export const fixedHistories: readonly (readonly RecordedEvent[])[] = fc.sample(
  arbitraryHistoryOf(foldedTypes),
  { seed: 1, numRuns: 20 },
)

/**
 * What a read model stores: its tables, and the rows that the histories give. The texts of the code
 * do not count, so a refactoring keeps the fingerprint.
 */
export async function fingerprintOf(
  model: ReadModel,
  db: Pick<ReadModelFixture, 'given' | 'pool'>,
  histories = fixedHistories,
): Promise<Fingerprint> {
  const rows: unknown[] = []
  for (const each of histories) {
    await db.given(model, each)
    rows.push(await rowsOf(db.pool, model))
  }
  return {
    version: model.version,
    tables: digest(model.createTables('schema').replaceAll(/\s+/g, ' ')),
    indexes: digest(model.createIndexes('schema').replaceAll(/\s+/g, ' ')),
    values: digest(JSON.stringify(valuesOf(model))),
    histories: digest(JSON.stringify(histories)),
    rows: digest(JSON.stringify(rows)),
  }
}

/**
 * A row can have each of these values. So a new one needs a new version, although no history of the
 * tests has it: an older release waits at the event, and still reads the rows that the newer
 * release writes into tables of the same version.
 */
export function valuesOf(
  model: Pick<ReadModel, 'folds' | 'consumers'>,
  schemas: EventSchemas = currentEventSchemas({}),
): readonly string[] {
  if (model.folds === 'envelopes') return []
  return [...handledTypes(model)].sort().flatMap((type) => fixedValues(schemas[type], type))
}

function fixedValues(node: unknown, path: string): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'enum' || key === 'const'
      ? [`${path} ${JSON.stringify(value)}`]
      : fixedValues(value, `${path}.${key}`),
  )
}

/**
 * Why the read model needs a new version, in a sentence. Null if it needs none. With other
 * histories the rows say nothing: only the tables are compared.
 */
export function unversionedChange(
  name: string,
  before: Fingerprint | undefined,
  now: Fingerprint,
): string | null {
  if (before === undefined || before.version !== now.version) return null
  const sameHistories = before.histories === now.histories
  if (before.values !== now.values)
    return `An enum or a kind of an event that the read model ${name} folds has other values since its version ${now.version}: a process of the older release would fail to read rows with a new value. Raise its version in projections/${name}/read-model.ts.`
  const changed =
    before.tables !== now.tables
      ? 'tables have'
      : sameHistories && before.rows !== now.rows
        ? 'rows have'
        : null
  return changed === null
    ? null
    : `The ${changed} changed since version ${now.version} of the read model ${name}: an installation would keep old rows beside new ones. Raise its version in projections/${name}/read-model.ts.`
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
