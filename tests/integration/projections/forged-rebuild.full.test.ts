import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { appendGenuine } from '../../support/data/append-genuine.ts'
import { accountOpened } from '../../support/data/events.ts'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const userId = `usr_${'1'.repeat(24)}`
const [masterKey, auditKey] = [sharedSecrets.MASTER_KEY, sharedSecrets.AUDIT_KEY].map((key) =>
  Buffer.from(key, 'hex'),
) as [Buffer, Buffer]

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

it('a rebuild and a verification of a read model stop at a readable forged event', async () => {
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  await appendGenuine({ store, codec, macKey: macKeyOf(auditKey) }, [
    accountOpened(userId, 'person@example.com'),
  ])
  await store.close()
  const projections = (unproven: string, ...args: readonly string[]) =>
    runBilling(
      {
        ...realSettings,
        DATA_DIR: directory.path,
        DATABASE_URL: connectionString,
        UNPROVEN_EVENTS: unproven,
      },
      'projections',
      ...args,
    )
  expect(await projections('refuse', 'rebuild', 'users')).toMatchObject({ code: 0 })
  // The time of an event is not encrypted: the event stays readable.
  await tamper(
    pool,
    `UPDATE log.event SET metadata = jsonb_set(metadata::jsonb, '{occurredAt}', '"2020-01-01T00:00:00.000Z"')`,
    [],
  )

  for (const command of [
    ['verify', 'users'],
    ['rebuild', 'users', '--restart'],
  ]) {
    const { code, stdout, stderr } = await projections('refuse', ...command)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `\\(AccountOpened, revision 0 of 'account-${userId}'\\) cannot be read: it has no MAC .*'billing events repair <backup>'`,
      ),
    )
  }
  expect(await projections('accept', 'rebuild', 'users', '--restart')).toMatchObject({ code: 0 })
}, 120_000)
