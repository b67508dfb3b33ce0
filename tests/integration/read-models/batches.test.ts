import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { adminUsersQuery } from '#contracts/admin/users'
import { readModels } from '#projections/read-models'
import { listPage } from '#projections/listing/list-page'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { arbitraryHistory } from '../../support/data/arbitrary-history.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { usersList } from '../../support/projections/users-list.ts'

const db = sharedReadModelFixture()

describe('batches', () => {
  it.each(readModels)('of any size give the same rows ($name)', async (model) => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.integer({ min: 1, max: 40 }),
        async (history, batchSize) => {
          await db.given(model, history)
          const atOnce = await rowsOf(db.pool, model)
          await db.given(model, history, batchSize)
          expect(await rowsOf(db.pool, model)).toEqual(atOnce)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('the stored sums', () => {
  it('equal the counts of the rows after every batch', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.integer({ min: 0, max: 450 }),
        async (history, days) => {
          const now = new Date(Date.UTC(2026, 0, 1 + days, 12))
          await db.given(users, history, 7)
          const cards = await summary(db.pool, now)
          const { items } = await listPage(
            db.pool,
            usersList,
            adminUsersQuery.parse({ pageSize: 100 }),
            now,
          )
          const ofType = (type: number) =>
            items.filter(({ user_type }) => user_type === type).length
          expect(cards).toMatchObject({
            totalUsers: items.length,
            usersByType: {
              emailOnly: ofType(1),
              withCompany: ofType(2),
              verified: ofType(3),
              paying: ofType(4),
            },
            activePlans: items.reduce((sum, { active_plans }) => sum + active_plans, 0),
          })
        },
      ),
      { numRuns: 25 },
    )
  })
})
