import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createAccounts } from '#services/accounts/accounts'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { clientStream, clientSubject } from '#services/foundation/stream-names'
import { createReceivablesSide } from '#services/start/create-receivables-side'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { appendNewer } from '../../support/event-store/append-newer.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

const billing = (...args: readonly string[]) =>
  runBilling(
    { ...realSettings, DATA_DIR: directory.path, DATABASE_URL: database.connectionString },
    ...args,
  )

/** What a process of the product writes, before it ends. */
function product() {
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const keys = createPersonalKeys(database.pool, Buffer.from(sharedSecrets.MASTER_KEY, 'hex'), {
    subjects: createSubjectLog(store),
  })
  const codec = createCodec(keys)
  const clock = systemClock
  const macKey = macKeyOf(Buffer.from(sharedSecrets.AUDIT_KEY, 'hex'))
  const commands = createCommandHandler({ store, codec, clock, macKey })
  const emailKeys = oneEmailKey(Buffer.from(sharedSecrets.EMAIL_HMAC_KEY, 'hex'))
  return {
    store,
    codec,
    accounts: createAccounts({ commands, clock, ids: randomIds, emailKeys }),
    receivables: createReceivablesSide({ commands, keys, clock }),
  }
}

async function givenMerchant(email: string) {
  const { store, accounts, receivables } = product()
  const { account } = await accounts.findOrOpen(email, testContext())
  const { userId } = account
  const { details } = samplePayloads.ClientAdded
  const add = () => receivables.addClient(userId, details, testContext())
  const clients = [(await add()).clientId, (await add()).clientId] as const
  await store.close()
  return { userId, clients }
}

it('billing erase erases the clients of a person while no process of the product runs', async () => {
  const { userId, clients } = await givenMerchant('dana@example.com')
  expect(await billing('erase', userId)).toMatchObject({
    code: 0,
    stdout: `${userId} is erased.\nIts clients are erased: 2 clients.\n`,
  })
  const { store, codec } = product()
  for (const clientId of clients) {
    const events = await codec.decodeStream(await store.readStream(clientStream(clientId)))
    expect(events.map(({ type }) => type)).toEqual(['ClientAdded', 'ClientErased'])
    expect(events[0]?.data).toMatchObject({ details: { name: '[erased]', email: '[erased]' } })
    const { rows } = await database.pool.query(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [clientSubject(userId, clientId)],
    )
    expect(rows).toEqual([{ wrapped_key: null }])
  }
  await store.close()
  expect(await billing('events', 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No personal key is missing.') as unknown,
  })
}, 180_000)

it('billing erase names what remains if a client has an event of a newer release', async () => {
  const { userId, clients } = await givenMerchant('rosa@example.com')
  const { store } = product()
  // The clients are erased in the order of their ids.
  const [newer = clients[0], other = clients[1]] = clients.toSorted()
  await appendNewer(store, clientStream(newer))
  const failed = await billing('erase', userId)
  expect(failed).toMatchObject({
    code: 1,
    stdout: `${userId} is erased.\n`,
    stderr: expect.stringMatching(
      /^usr_\w+ is erased, and some of its clients are not: .* Run the command again, or start a process with ROLE all or reactor: it erases them\.\n$/s,
    ) as unknown,
  })
  expect((await store.readStream(clientStream(other))).at(-1)?.type).toBe('ClientErased')
  await store.close()
}, 180_000)
