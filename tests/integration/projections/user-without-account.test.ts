import { expect, it, jest } from '@jest/globals'
import { purchases } from '#projections/purchases/read-model'
import { paymentSucceeded, subscriptionStarted } from '../../support/data/events.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'

const fixture = projectionFixturePerTest()

jest.setTimeout(60_000)

it.each([
  ['a subscription', [subscriptionStarted('usr_404')]],
  ['a subscription and a payment', [subscriptionStarted('usr_404'), paymentSucceeded('usr_404')]],
])(
  '%s of a user without AccountOpened: only this user is parked, and a batch with others is written once',
  async (_, events) => {
    const end = await fixture.append(...customers(1, 3), ...events)
    fixture.start(purchases)
    expect(await fixture.projected([purchases], end)).toBe(true)
    expect(await fixture.parked(purchases)).toMatchObject([
      { key: 'usr_404', waitingEvents: events.length },
    ])
    expect(await fixture.verify(purchases)).toMatchObject({ isEqual: true, tables: [] })
  },
)
