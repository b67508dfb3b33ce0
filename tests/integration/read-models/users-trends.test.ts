import { describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import {
  accountOpened,
  billing,
  paymentSucceeded,
  recorded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const now = new Date('2026-03-20T12:00:00.000Z')
const db = sharedReadModelFixture()

async function trendsAfter(...events: RecordedEvent[]) {
  await db.given(users, events)
  return (await summary(db.pool, now)).trends
}

const at = (occurredAt: string) => ({ occurredAt })
const opened = (id: string, when: string) => accountOpened(id, `${id}@example.com`, at(when))

describe('the course of the dashboard totals', () => {
  it('has the ends of the last 11 months and now, oldest first', async () => {
    const instants = (await trendsAfter()).map((each) => each.at)
    expect(instants).toHaveLength(12)
    expect(instants[0]).toBe('2025-05-01T00:00:00.000Z')
    expect(instants.at(-2)).toBe('2026-03-01T00:00:00.000Z')
    expect(instants.at(-1)).toBe(now.toISOString())
  })

  it('counts users from the month in which they were opened, blocked ones as not active', async () => {
    const trends = await trendsAfter(
      opened('usr_1', '2024-01-01T08:00:00.000Z'),
      opened('usr_2', '2026-01-31T23:59:59.999Z'),
      opened('usr_3', '2026-02-01T00:00:00.000Z'),
      recorded(
        'account-usr_1',
        { type: 'AccountBlocked', data: {} },
        at('2026-02-10T08:00:00.000Z'),
      ),
    )
    expect(
      trends.slice(-4).map(({ totalUsers, activeUsers }) => [totalUsers, activeUsers]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
      [3, 2],
    ])
  })

  it('adds revenue in the month of the payment and deducts a refund in its own month', async () => {
    const trends = await trendsAfter(
      opened('usr_1', '2025-12-01T08:00:00.000Z'),
      paymentSucceeded('usr_1', {}, at('2025-12-02T08:00:00.000Z')),
      billing(
        'usr_1',
        {
          type: 'RefundRecorded',
          data: {
            ...samplePayloads.RefundRecorded,
            amount: { amount: 1005, currency: 'usd' },
            status: 'succeeded',
          },
        },
        at('2026-02-10T08:00:00.000Z'),
      ),
    )
    expect(trends.slice(-5).map(({ totalRevenue }) => totalRevenue)).toEqual([
      0, 39, 39, 28.95, 28.95,
    ])
  })

  it('counts a plan as active until it expires, and a subscription from its start', async () => {
    const trends = await trendsAfter(
      opened('usr_1', '2025-12-01T08:00:00.000Z'),
      subscriptionStarted('usr_1', {}, at('2025-12-02T08:00:00.000Z')),
      paymentSucceeded(
        'usr_1',
        { periodEnd: '2026-02-15T08:00:00.000Z' },
        at('2025-12-02T08:00:00.000Z'),
      ),
    )
    expect(
      trends
        .slice(-5)
        .map(({ activePlans, activeSubscriptions }) => [activePlans, activeSubscriptions]),
    ).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 1],
      [0, 1],
    ])
  })

  it('ends with the totals', async () => {
    await db.given(users, [
      opened('usr_1', '2026-03-01T08:00:00.000Z'),
      subscriptionStarted('usr_1'),
      paymentSucceeded('usr_1'),
    ])
    const { trends, ...totals } = await summary(db.pool, now)
    const { at: _, ...last } = trends.at(-1)!
    expect(totals).toMatchObject(last)
    expect(last).toMatchObject({ totalUsers: 1, totalRevenue: 39, activePlans: 1 })
  })
})
