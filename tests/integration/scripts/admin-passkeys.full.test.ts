import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createAdministrators } from '#services/administrators/administrators'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { testContext } from '../../support/data/test-context.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const masterKey = '5a'.repeat(32)
const auditKey = '6b'.repeat(32)
const email = 'ada@agilereceivables.example'
let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await createTestDatabase()
}, 60_000)
afterAll(async () => {
  await database?.drop()
  await directory?.remove()
})

const admins = (...args: readonly string[]) =>
  runBilling(
    {
      EVENTSTORE_URL: undefined,
      DATA_DIR: directory.path,
      DATABASE_URL: database.connectionString,
      MASTER_KEY: masterKey,
      AUDIT_KEY: auditKey,
    },
    'admins',
    ...args,
  )

it('billing admins passkeys lists the passkeys of a person, and removes them with the sessions', async () => {
  expect(await admins('add', email, '--name', 'Ada Lind', '--role', 'owner')).toMatchObject({
    code: 0,
  })
  const adminId = await addPasskey()
  await database.pool.query(
    `INSERT INTO app.admin_session (sid, sess, expire) VALUES ('sid', $1, now() + interval '1 hour')`,
    [{ subject: adminId }],
  )

  const listed = await admins('passkeys', email)
  expect(listed.stdout).toMatch(/^Work laptop: added \d{4}-.*Z, never used$/m)
  expect(listed.stdout).toContain('Ada Lind has 1 passkey. --remove removes them.')
  const removed = await admins('passkeys', email, '--remove')
  expect(removed.stdout).toContain('has no passkey and no session now')
  expect(removed.stdout).toContain('Passkeys removed: 1.')
  const { rows } = await database.pool.query('SELECT 1 FROM app.admin_session')
  expect(rows).toEqual([])
  expect((await admins('passkeys', email)).stdout).toContain('Ada Lind has 0 passkeys.')

  const unknown = await admins('passkeys', 'nobody@agilereceivables.example', '--remove')
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.stderr).toContain('No administrator has the address')
}, 300_000)

/** Returns the id of the person, who is the only administrator. */
async function addPasskey(): Promise<string> {
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const keys = createPersonalKeys(database.pool, Buffer.from(masterKey, 'hex'))
  const commands = createCommandHandler({
    store,
    codec: createCodec(keys),
    clock: systemClock,
    macKey: macKeyOf(Buffer.from(auditKey, 'hex')),
  })
  const administrators = createAdministrators({ commands, clock: systemClock })
  const [adminId = ''] = (await administrators.load()).administrators.keys()
  const passkey = {
    passkeyId: 'cGFzc2tleS0x',
    publicKey: 'cHVibGljLWtleS0x',
    transports: ['internal'],
    label: 'Work laptop',
    counter: 0,
  }
  const by = { kind: 'administrator', adminId } as const
  await administrators.change({ type: 'add-passkey', adminId, passkey, by }, testContext())
  await store.close()
  return adminId
}
