import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { replaceKey } from '#services/event-store/encryption/key-table'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { appendGenuine } from '../../support/data/append-genuine.ts'
import { accountOpened, recorded } from '../../support/data/events.ts'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const masterKey = Buffer.from(sharedSecrets.MASTER_KEY, 'hex')
const macKey = macKeyOf(Buffer.from(sharedSecrets.AUDIT_KEY, 'hex'))
const usr = (digit: string) => `usr_${digit.repeat(24)}`
const [kept, erased] = [usr('1'), usr('2')]

/** What a program with access to the database can do to a key. */
const attacks: ReadonlyMap<string, string> = new Map([
  [
    usr('3'),
    'UPDATE app.personal_key SET wrapped_key = NULL, wrapped_by = NULL, erased_at = now() WHERE subject = $1',
  ],
  [usr('4'), 'DELETE FROM app.personal_key WHERE subject = $1'],
  [
    usr('5'),
    'UPDATE app.personal_key SET wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) WHERE subject = $1',
  ],
  [
    usr('6'),
    `UPDATE app.personal_key SET wrapped_key = (SELECT wrapped_key FROM app.personal_key WHERE subject = '${kept}') WHERE subject = $1`,
  ],
])
const lost = [...attacks.keys()]
/** Its key is replaced by another one, which MASTER_KEY wraps. */
const replaced = usr('7')

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

it('a personal key that is missing without an erasure is named, stops rebuilds, and is restored from a backup', async () => {
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const keys = createPersonalKeys(pool, masterKey, { subjects: createSubjectLog(store) })
  const log = { store, codec: createCodec(keys), macKey }
  for (const userId of [kept, erased, ...lost, replaced])
    await appendGenuine(log, [accountOpened(userId, `${userId}@example.com`)])
  const backup = join(directory.path, 'backup')
  expect(await billing('backup', backup)).toMatchObject({ code: 0 })
  await appendGenuine(log, [
    recorded(`account-${erased}`, { type: 'PersonalDataErased', data: {} }),
  ])
  await keys.erase(erased)
  await store.close()
  expect(await billing('projections', 'rebuild', 'users')).toMatchObject({ code: 0 })

  for (const [userId, sql] of attacks) await pool.query(sql, [userId])
  await replaceKey(pool, masterKeysOf(masterKey), replaced, randomBytes(32))
  for (const command of [
    ['events', 'verify'],
    ['events', 'seal'],
    ['keys', 'status'],
  ]) {
    const { code, stdout } = await billing(...command)
    expect(code).toBe(1)
    for (const userId of [...lost, replaced])
      expect(stdout).toMatch(
        new RegExp(
          `The personal key of '${userId}' (was|is|cannot) [^']*, and the log has no erasure of '${userId}'\\. Event .* \\(revision 0 of 'account-${userId}'\\) cannot be read\\.`,
        ),
      )
    expect(stdout).toContain("'billing keys restore <backup>'")
    expect(stdout).not.toContain(kept)
    expect(stdout).not.toContain(erased)
  }
  expect((await pool.query('SELECT 1 FROM app.seal')).rowCount).toBe(0)
  for (const command of [['verify', 'users'], ['rebuild', 'users', '--restart'], ['reset']]) {
    const { code, stdout, stderr } = await billing('projections', ...command)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /personal key of 'usr_3+' .*Do not rebuild a read model, .*billing keys restore <backup>/,
    )
    expect(stderr).not.toContain('projections rebuild')
  }

  expect(await billing('keys', 'restore', backup)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored 5 personal keys\.\n/) as unknown,
  })
  expect(await billing('events', 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No personal key is missing.') as unknown,
  })
  expect(await billing('projections', 'verify', 'users')).toMatchObject({ code: 0 })
  // The backup has the key of the erased person, too.
  const { rows } = await pool.query('SELECT wrapped_key FROM app.personal_key WHERE subject = $1', [
    erased,
  ])
  expect(rows).toEqual([{ wrapped_key: null }])
}, 300_000)
