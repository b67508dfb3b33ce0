import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { eventCatalogue } from '#contracts/events/catalogue'
import { event, mayGrow } from '#contracts/events/define-event'
import { enquiries } from '#projections/enquiries/read-model'
import { history } from '#projections/history/read-model'
import { readModels } from '#projections/read-models'
import type { ReadModel } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import { currentEventSchemas } from '../../../scripts/stored-schemas/event-schemas.ts'
import {
  committedFingerprints,
  digest,
  fingerprintOf,
  fixedHistories,
  foldedTypes,
  unversionedChange,
  valuesOf,
  writeFingerprints,
  type Fingerprint,
} from '../../support/projections/fingerprints.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()

const withSpam = {
  EnquiryStatusChanged: event(['enquiry'], { to: mayGrow(z.enum(['inprogress', 'spam'])) }),
}

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
    // Another version, or other histories: run WRITE_FINGERPRINTS=1 npm run jest -- fingerprints.
    // Other indexes under the same version: also rebuild the read model in each installation.
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

  it('count as changed with another value of a folded event', async () => {
    const before = await fingerprintOf(enquiries, db, [])
    const grown = currentEventSchemas({}, { ...eventCatalogue, ...withSpam })
    const now = { ...before, values: digest(JSON.stringify(valuesOf(enquiries, grown))) }
    expect(unversionedChange('enquiries', before, now)).toMatch(
      /^An enum or a kind of an event that the read model enquiries folds has other values/,
    )
    expect(unversionedChange('enquiries', before, { ...now, version: now.version + 1 })).toBeNull()
    expect(valuesOf(users, grown)).toEqual(valuesOf(users))
    expect(valuesOf(history, grown)).toEqual([])
  })

  it('are compared by histories that contain every folded type', () => {
    const types = new Set(fixedHistories.flat().map(({ type }) => type))
    expect(foldedTypes.filter((type) => !types.has(type))).toEqual([])
  })
})
