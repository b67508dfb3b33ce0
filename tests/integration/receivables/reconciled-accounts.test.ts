import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { parseCheckoutId, parseClientId, parseUserId } from '#contracts/ids'
import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'
import { createKnownAccounts } from '#services/receivables/checkout/connected-accounts-table'
import {
  reconcileDueAccounts,
  type ReconcileAccountsParts,
} from '#services/receivables/checkout/reconcile-accounts'
import { until } from '../../support/machine/until.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

/* The comparison of many accounts: what it asks the provider, and that none waits for another. */

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('TRUNCATE app.connected_account'))

const merchantId = parseUserId('usr_0123456789abcdef01234567')
const newClaim = () => ({
  clientId: parseClientId(`client_${randomUUID().replaceAll('-', '')}`),
  checkoutId: parseCheckoutId(`checkout_${randomUUID()}`),
})

function provider() {
  const known = createKnownAccounts(database.pool)
  const time = { now: Date.parse('2026-11-27T02:00:00.000Z') }
  const changes = new Map<ProviderRef, ReturnType<typeof newClaim>[]>()
  const failing = new Set<ProviderRef>()
  const asked: {
    readonly account: ProviderRef | null
    readonly what: 'account' | 'list' | 'checkout'
  }[] = []
  /** Waits before it reads a checkout of this account. */
  const slow: { account: ProviderRef | null; until: Promise<void> } = {
    account: null,
    until: Promise.resolve(),
  }
  const since: (string | null)[] = []
  const parts: ReconcileAccountsParts = {
    known,
    open: { ofAccount: () => Promise.resolve([]) },
    payments: {
      async *changedCheckouts(account, from) {
        asked.push({ account, what: 'list' })
        since.push(from)
        if (failing.has(account)) throw new PaymentProviderUnavailable('the list', new Error('500'))
        for (const claim of changes.get(account) ?? []) {
          if (slow.account === account) await slow.until
          yield { ...claim, at: '2026-11-27T01:00:00.000Z' }
        }
      },
    },
    sync: {
      sync() {
        asked.push({ account: null, what: 'checkout' })
        return Promise.resolve(null)
      },
      endLeftOver: () => Promise.resolve(),
    },
    ways: {
      refreshAccount: (_merchant, account) => {
        asked.push({ account, what: 'account' })
        return Promise.resolve({ kind: 'refused', refusal: 'other-account' })
      },
    },
    newId: randomUUID,
    clock: { now: () => new Date((time.now += 1)) },
    log: pino({ level: 'silent' }),
    takeLease: () =>
      Promise.resolve({ lost: new AbortController().signal, release: () => Promise.resolve() }),
  }
  const add = async (...names: readonly string[]) => {
    for (const name of names) await known.add(refAt('stripe', name), merchantId)
  }
  return { parts, changes, failing, asked, slow, since, time, add, known }
}

const round = ({ parts }: ReturnType<typeof provider>) =>
  reconcileDueAccounts(parts, new AbortController().signal)
const names = (count: number) =>
  Array.from({ length: count }, (_, n) => `acct_${String(n).padStart(4, '0')}`)

describe('the comparison of accounts', () => {
  it('asks twice for each of 1,000 quiet accounts in one round, and again after an hour', async () => {
    const of = provider()
    await of.add(...names(1_000))
    await round(of)
    expect(of.asked.filter(({ what }) => what === 'account')).toHaveLength(1_000)
    expect(of.asked.filter(({ what }) => what === 'list')).toHaveLength(1_000)
    await round(of)
    expect(of.asked).toHaveLength(2_000)
    of.time.now += 61 * 60_000
    await round(of)
    expect(of.asked).toHaveLength(4_000)
  }, 60_000)

  it('does not let the others wait for one with 5,000 changes', async () => {
    const of = provider()
    await of.add(...names(120))
    const first = refAt('stripe', 'acct_0000')
    of.changes.set(first, Array.from({ length: 5_000 }, newClaim))
    let release = () => {}
    of.slow.account = first
    of.slow.until = new Promise((resolve) => (release = resolve))
    const running = round(of)
    try {
      const others = () =>
        new Set(of.asked.filter(({ what }) => what === 'list').map(({ account }) => account))
      await until(
        () => others().size === 120,
        () => `only ${others().size} were compared`,
      )
    } finally {
      release()
    }
    await running
    expect(of.asked.filter(({ what }) => what === 'checkout')).toHaveLength(5_000)
  }, 60_000)

  it('reads a checkout with many events once', async () => {
    const of = provider()
    await of.add('acct_1')
    const claim = newClaim()
    const other = { ...newClaim(), checkoutId: claim.checkoutId }
    of.changes.set(refAt('stripe', 'acct_1'), [other, claim, claim, claim])
    await round(of)
    // A claim of another client, which an account can write, hides none.
    expect(of.asked.filter(({ what }) => what === 'checkout')).toHaveLength(2)
  })

  it('skips accounts that fail, tries them an hour later, and forgets no time', async () => {
    const of = provider()
    await of.add(...names(20))
    const broken = names(20)
      .slice(0, 10)
      .map((name) => refAt('stripe', name))
    for (const each of broken) of.failing.add(each)
    await expect(round(of)).rejects.toThrow('provider')
    expect(new Set(of.asked.map(({ account }) => account)).size).toBe(20)
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS done FROM app.connected_account WHERE checked_at IS NOT NULL',
    )
    expect(rows).toEqual([{ done: 10 }])
    of.failing.clear()
    of.time.now += 61 * 60_000
    await round(of)
    expect(of.since.every((each) => each === null)).toBe(true)
  })
})
