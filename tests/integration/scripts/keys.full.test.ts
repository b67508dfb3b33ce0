import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const former = Buffer.from(sharedSecrets.MASTER_KEY, 'hex')
const latter: Buffer = randomBytes(32)
const [old, fresh, shared] = [former, latter, former].map(keyFingerprint)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await assertKnownKeys(database.pool, {
    masterKey: former,
    emailHmacKey: former,
    portalKey: former,
    auditKey: former,
  })
  const keys = createPersonalKeys(database.pool, former)
  for (const person of ['usr_1', 'usr_2']) await keys.forWriting(person)
})
afterAll(() => database.drop())

const keys = (
  command: string,
  settings: Readonly<Record<string, string>> = {},
  ...options: readonly string[]
) =>
  runBilling(
    {
      DATA_DIR: '/nonexistent',
      DATABASE_URL: database.connectionString,
      ADMIN_PASSWORD: 'a long password',
      ...sharedSecrets,
      ...settings,
    },
    'keys',
    command,
    ...options,
  )
const during = {
  MASTER_KEY: latter.toString('hex'),
  MASTER_KEY_PREVIOUS: former.toString('hex'),
}

it('billing keys shows fingerprints and counts, never a key, and changes MASTER_KEY', async () => {
  const secrets = [former.toString('hex'), latter.toString('hex')]
  const runs = [
    await keys('status', during),
    await keys('rotate', { MASTER_KEY: during.MASTER_KEY }),
    await keys('rotate', during),
    await keys('status', { MASTER_KEY: during.MASTER_KEY }),
    await keys('status'),
  ]
  for (const { stdout, stderr } of runs)
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)

  const [first, wrong, rotated, done, undone] = runs
  expect(first).toMatchObject({
    code: 0,
    stdout: [
      `MASTER_KEY               ${fresh}  wraps 0 personal keys`,
      `MASTER_KEY_PREVIOUS      ${old}  in use, wraps 2 personal keys`,
      `EMAIL_HMAC_KEY           ${shared}  in use`,
      `PORTAL_KEY               ${shared}  in use`,
      `AUDIT_KEY                ${shared}  in use`,
      "Next: when every process has both keys, run 'billing keys rotate'.",
      'No personal key is missing.',
      '',
    ].join('\n'),
  })
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `2 of the personal keys are wrapped by a MASTER_KEY of fingerprint ${old}, and MASTER_KEY has fingerprint ${fresh} and MASTER_KEY_PREVIOUS is not set. Set MASTER_KEY_PREVIOUS to the key of fingerprint ${old}. Nothing was changed.\n`,
  })
  expect(rotated).toMatchObject({
    code: 0,
    stdout:
      'MASTER_KEY is in use, and this run wrapped 2 personal keys with it. It wraps all 2 personal keys.\n' +
      'Next: remove MASTER_KEY_PREVIOUS from the settings of every process and restart. Keep the former key as long as you keep backups from before.\n',
  })
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      `MASTER_KEY               ${fresh}  in use, wraps 2 personal keys\n`,
    ) as unknown,
  })
  expect(undone).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `(in no setting)          ${fresh}  in use, wraps 2 personal keys\n`,
    ) as unknown,
    stderr: expect.stringMatching(/^MASTER_KEY differs from the key/) as unknown,
  })
}, 120_000)

it('billing keys changes EMAIL_HMAC_KEY and says what is next', async () => {
  const email: Buffer = randomBytes(32)
  const print = keyFingerprint(email)
  const both = {
    ...during,
    EMAIL_HMAC_KEY: email.toString('hex'),
    EMAIL_HMAC_KEY_PREVIOUS: former.toString('hex'),
  }
  const alone = { ...during, EMAIL_HMAC_KEY: both.EMAIL_HMAC_KEY }
  const before = await keys('status', both)
  const wrong = await keys('rotate', alone, '--email')
  const rotated = await keys('rotate', both, '--email')
  const done = await keys('status', both)
  const repeated = await keys('rotate', alone, '--email')
  const lines = (stdout: string) => stdout.split('\n').filter((line) => line.includes('EMAIL'))
  expect(lines(before.stdout)).toEqual([
    `EMAIL_HMAC_KEY           ${print}`,
    `EMAIL_HMAC_KEY_PREVIOUS  ${shared}  in use`,
  ])
  expect(before.stdout).toContain(
    "Next: when every process has both keys, run 'billing keys rotate --email'.\n",
  )
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^EMAIL_HMAC_KEY differs from the key [^\n]*\n$/) as unknown,
  })
  expect(rotated).toMatchObject({
    code: 0,
    stdout:
      'EMAIL_HMAC_KEY is in use, and this run moved 0 addresses and 0 enquiries to it. No address needs the former key.\n' +
      'Next: remove EMAIL_HMAC_KEY_PREVIOUS from the settings of every process and restart. Keep the former key as long as you keep backups from before.\n',
  })
  expect(lines(done.stdout)).toEqual([
    `EMAIL_HMAC_KEY           ${print}  in use`,
    `EMAIL_HMAC_KEY_PREVIOUS  ${shared}`,
    'No address needs EMAIL_HMAC_KEY_PREVIOUS: remove it from the settings.',
  ])
  expect(repeated).toMatchObject({
    code: 0,
    stdout: 'Nothing was changed: EMAIL_HMAC_KEY is in use.\n',
  })
  for (const { stdout, stderr } of [before, wrong, rotated, done, repeated])
    for (const key of [former, email]) expect(stdout + stderr).not.toContain(key.toString('hex'))
}, 60_000)
