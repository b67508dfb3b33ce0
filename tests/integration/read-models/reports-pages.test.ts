import { describe, expect, it } from '@jest/globals'
import { reportsIn } from '#projections/reports/read-model'
import { readLines } from '#projections/reports/queries/read-lines'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { paymentSucceeded, subscriptionStarted } from '../../support/data/events.ts'
import { day, zone } from '../../support/data/finance-values.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const timeZone = zone('America/New_York')
const model = reportsIn(timeZone)

describe('a list of the read model of the reports', () => {
  it('ends its pages with the last event that the caller names', async () => {
    const users = ['usr_1', 'usr_2'] as const
    await db.given(model, [
      ...users.map((user, index) =>
        subscriptionStarted(
          user,
          { subscriptionId: `subscription_${user}` },
          { position: String(index + 1) },
        ),
      ),
      ...users.map((user, index) =>
        paymentSucceeded(
          user,
          { paymentId: `payment_${user}` },
          { position: String(index + 3), revision: 1 },
        ),
      ),
    ])
    const parameters: ReportParameters = {
      from: null,
      to: null,
      asOf: day('2026-12-31'),
      knownAt: null,
      currency: null,
      timeZone,
    }
    const usersOf = async (lastSeq: number) => {
      const page = { after: null, limit: 100, lastSeq }
      const lines = await readLines(db.pool, 'journal', parameters, page)
      return [...new Set(lines?.rows.map((row) => row['user_id']))]
    }
    expect(await usersOf(1)).toEqual([])
    expect(await usersOf(3)).toEqual(['usr_1'])
    expect(await usersOf(4)).toEqual(users)
  })
})
