import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import { refAt } from '#contracts/events/provider-ref'
import { parseCheckoutId, parseClientId, parseUserId } from '#contracts/ids'
import { accountMetrics } from '#services/http/metrics/account-metrics'
import { createMeasure } from '#services/http/metrics/measure'
import { createKnownAccounts } from '#services/receivables/checkout/connected-accounts-table'
import { measureAccounts } from '#services/receivables/checkout/measure-accounts'
import { createOpenCheckouts } from '#services/receivables/checkout/open-checkouts-table'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const merchantId = parseUserId('usr_alder')
const [first, second] = [refAt('stripe', 'acct_1'), refAt('stripe', 'acct_2')]
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('an account counts as compared only after a complete comparison', async () => {
  const registry = new Registry()
  const collect = accountMetrics(
    registry,
    () => measureAccounts(database.pool),
    createMeasure(registry, { warn: () => undefined }),
  )
  const values = async () => {
    await collect()
    const found = await registry.getMetricsAsJSON()
    const value = (name: string) =>
      found.find((each) => each.name === name)?.values[0]?.value ?? NaN
    return [
      value('connected_accounts'),
      Math.round(value('connected_accounts_oldest_check_seconds') / 3_600),
      value('client_checkouts_open'),
    ]
  }
  expect(await values()).toEqual([0, 0, 0])

  const known = createKnownAccounts(database.pool)
  await known.add(first, merchantId)
  await known.add(second, merchantId)
  await known.checked(first, ago(1), null)
  await known.checked(second, ago(5), null)
  // A look that fails compares nothing.
  await known.looked(second, ago(0))
  await createOpenCheckouts(database.pool).add({
    checkoutId: parseCheckoutId('checkout_1'),
    clientId: parseClientId('client_grace'),
    merchantId,
    accountRef: first,
  })
  expect(await values()).toEqual([2, 5, 1])
})
