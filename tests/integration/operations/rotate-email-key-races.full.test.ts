import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseUserId, type UserId } from '#contracts/ids'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { testContext } from '../../support/data/test-context.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { createEmailKeyWorld, type EmailKeyProcess } from '../../support/product/email-key-world.ts'

let database: TestDatabase
let store: EventStore
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const addresses = 4

/**
 * A call of a customer or an administrator. `enter` signs up or in with an address. `set` gives the
 * account of address `of` another one. `erase` erases the account of the address.
 */
const call = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('enter' as const), email: fc.nat(addresses - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('set' as const),
      of: fc.nat(addresses - 1),
      email: fc.nat(addresses - 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('remove' as const), of: fc.nat(addresses - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('erase' as const), of: fc.nat(addresses - 1) }),
  },
)
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never

/** The log as one process sees it: `scheduler` decides when each of its calls reaches the log. */
function scheduled(scheduler: fc.Scheduler): EventStore {
  const inTurn =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      await scheduler.schedule(Promise.resolve())
      return work(...given)
    }
  return {
    ...store,
    append: inTurn(store.append.bind(store)),
    readStream: inTurn(store.readStream.bind(store)),
    readLast: inTurn(store.readLast.bind(store)),
  }
}

it('any order of sign-ups, address changes and erasures beside a rotation keeps each address with one account', async () => {
  let waits = 0
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(call, { maxLength: 5 }),
      fc.tuple(fc.array(call, { maxLength: 4 }), fc.array(call, { maxLength: 4 })),
      fc.boolean(),
      async (scheduler, before, during, isLate) => {
        await tamper(
          database.pool,
          'TRUNCATE log.event, app.personal_key, app.key_fingerprint, app.email_key_change',
        )
        const [former, latter] = [randomBytes(32), randomBytes(32)]
        const emails = Array.from(
          { length: addresses },
          (_, index) => `${index}-${randomBytes(6).toString('hex')}@race.example`,
        )
        const world = createEmailKeyWorld(database, store)
        await world.assertStart(former)
        const setUp = await world.start(former)
        for (const each of before) await perform(setUp, each, emails)
        await setUp.close()

        const on = scheduled(scheduler)
        // The settings of the second process name the keys the other way round.
        const both = [
          await world.start(latter, former, { on, everyMs: 5 }),
          await world.start(former, latter, { on, everyMs: 150 }),
        ]
        const fresh: EmailKeyProcess[] = []
        let onBegun: () => void = () => undefined
        // Late customers come when one process has read that the key was changed, and the other
        // has not.
        const begun = new Promise<void>((resolve) => (onBegun = resolve))
        const onWait = () => {
          waits += 1
          if (both[0]?.emailKeys.state().kind === 'changing') onBegun()
        }
        const work = Promise.all([
          world.rotate(latter, former, { on, pollMs: 2, onWait }).then(async () => {
            onBegun()
            // A process without the former key serves as soon as the rotation has ended.
            fresh.push(await world.start(latter, null, { on }))
            for (const email of emails) await fresh[0]?.enter(email)
          }),
          ...both.map(async (process, index) => {
            if (isLate) await begun
            for (const each of during[index] ?? []) await perform(process, each, emails)
          }),
        ])
        await scheduler.waitFor(work)

        // At each position of the log, every address of an account was claimed for it alone.
        const log = await world.assertLog(latter, former)
        const owners = ownersOf(log, emails)
        const after = await world.start(latter)
        for (const email of emails) {
          const userId = await after.enter(email)
          expect([email, owners.get(email) ?? userId]).toEqual([email, userId])
          expect((await after.accounts.find(userId))?.userId).toBe(userId)
        }
        await Promise.all([...both, ...fresh, after].map((process) => process.close()))
        await world.assertLog(latter, former)
      },
    ),
    { numRuns: 30 },
  )
  expect(waits).toBeGreaterThan(0)
}, 300_000)

async function perform(
  { accounts, enter, erase }: EmailKeyProcess,
  each: Call,
  emails: readonly string[],
): Promise<void> {
  const emailOf = (index: number) => emails[index] ?? ''
  if (each.type === 'enter') return void (await enter(emailOf(each.email)))
  const userId = await accounts.ownerOf(emailOf(each.of))
  if (userId === null) return
  if (each.type === 'erase') return void (await erase(userId))
  if (each.type === 'remove')
    return void (await accounts.removeSecondaryEmail(userId, testContext()))
  await accounts.setSecondaryEmail(userId, emailOf(each.email), testContext())
}

type Log = Awaited<ReturnType<ReturnType<typeof createEmailKeyWorld>['assertLog']>>

/** The model: an address belongs to the account that has it in the log, without any claim. */
function ownersOf(log: Log, emails: readonly string[]): ReadonlyMap<string, UserId> {
  const accounts = new Map<string, { primary: string; secondary: string | null }>()
  for (const event of log) {
    const userId = event.stream.slice('account-'.length)
    const account = accounts.get(userId)
    if (event.type === 'AccountOpened')
      accounts.set(userId, { primary: event.data.email, secondary: null })
    if (event.type === 'SecondaryEmailSet' && account) account.secondary = event.data.email
    if (event.type === 'SecondaryEmailRemoved' && account) account.secondary = null
    if (event.type === 'PersonalDataErased') accounts.delete(userId)
  }
  const owners = new Map<string, UserId>()
  for (const [userId, { primary, secondary }] of accounts)
    for (const email of emails)
      if (email === primary || email === secondary) {
        expect([email, owners.get(email)]).toEqual([email, undefined])
        owners.set(email, parseUserId(userId))
      }
  return owners
}
