import { describe, expect, it } from '@jest/globals'
import { readModels } from '#projections/read-models'
import type { ReadModel } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import {
  committedFingerprints,
  fingerprintOf,
  fixedHistories,
  foldedTypes,
  unversionedChange,
  writeFingerprints,
  type Fingerprint,
} from '../../support/projections/fingerprints.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()

/**
 * `projections/fingerprints.json` has the tables and rows of each read model's version. With
 * `WRITE_FINGERPRINTS=1` this test writes the file, but for a change without a new version.
 */
describe('the tables and the fold of a read model', () => {
  it('never change without a new version', async () => {
    const committed = committedFingerprints()
    const now: Record<string, Fingerprint> = {}
    for (const model of readModels) now[model.name] = await fingerprintOf(model, db)
    expect(
      readModels.flatMap(({ name }) => {
        const of = now[name]
        return of === undefined ? [] : (unversionedChange(name, committed[name], of) ?? [])
      }),
    ).toEqual([])
    if (process.env.WRITE_FINGERPRINTS === '1') writeFingerprints(now)
    // Another version, or other histories: run WRITE_FINGERPRINTS=1 npm run jest -- fingerprints
    expect(committedFingerprints()).toEqual(now)
  })

  it('count as changed with another column, or with another row', async () => {
    const few = fixedHistories.slice(0, 3)
    const before = await fingerprintOf(users, db, few)
    const otherTable: ReadModel = {
      ...users,
      createTables: (schema) => `${users.createTables(schema)}-- another column`,
    }
    const otherRows: ReadModel = {
      ...users,
      project: (events, tx, schema) => users.project(events.slice(0, -1), tx, schema),
    }
    const sentenceOf = async (model: ReadModel) =>
      unversionedChange('users', before, await fingerprintOf(model, db, few))
    expect(await sentenceOf(users)).toBeNull()
    expect(await sentenceOf(otherTable)).toMatch(/^The tables have changed since version \d+ of/)
    expect(await sentenceOf({ ...otherTable, version: users.version + 1 })).toBeNull()
    expect(await sentenceOf(otherRows)).toMatch(/^The rows have changed since version/)
  })

  it('are compared by histories that contain every folded type', () => {
    const types = new Set(fixedHistories.flat().map(({ type }) => type))
    expect(foldedTypes.filter((type) => !types.has(type))).toEqual([])
  })
})
