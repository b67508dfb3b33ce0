import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createAccounts } from '#services/accounts/accounts'
import { createCommandHandler } from '#services/commands/handle-command'
import { integrityWork } from '#services/event-store/audit/integrity-work'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { accountStream } from '#services/foundation/stream-names'
import { backupFileName } from '#services/operations/backup/backup-format'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { testContext } from '../../support/data/test-context.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

/* The work of a night, and the check of a backup without a restore. */

const [masterKey, emailHmacKey, auditKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]
let database: TestDatabase
let store: EventStore
let stream: string
let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const codec = createCodec(createPersonalKeys(database.pool, masterKey))
  const commands = createCommandHandler({
    store,
    codec,
    clock: systemClock,
    macKey: macKeyOf(auditKey),
  })
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(emailHmacKey),
  })
  for (let n = 0; n < 3; n += 1) {
    const { account } = await accounts.findOrOpen(`dana${n}@example.com`, testContext())
    stream = accountStream(account.userId)
  }
}, 60_000)
afterAll(async () => {
  await store.close()
  await directory.remove()
  await database.drop()
})

const keys = {
  MASTER_KEY: masterKey.toString('hex'),
  EMAIL_HMAC_KEY: emailHmacKey.toString('hex'),
  PORTAL_KEY: '05'.repeat(32),
  AUDIT_KEY: auditKey.toString('hex'),
}
const billing = (args: readonly string[], over: Record<string, string> = {}) =>
  runBilling(
    { DATA_DIR: directory.path, DATABASE_URL: database.connectionString, ...keys, ...over },
    ...args,
  )

async function works() {
  const states = await integrityWork(database.pool)
  return Object.fromEntries(
    states.map(({ work, isEver, failure }) => [work, { isEver, hasFailed: failure !== null }]),
  )
}

/** The backup with another text, and the checksum of that text. */
async function forged(from: string, name: string, edit: (text: string) => string): Promise<string> {
  const text = gunzipSync(await readFile(join(from, backupFileName))).toString()
  const lines = edit(text).split('\n').slice(0, -2)
  let written = ''
  for await (const piece of withChecksum(Readable.from([lines]))) written += piece
  const to = join(directory.path, name)
  await mkdir(to)
  await writeFile(join(to, backupFileName), gzipSync(written))
  return to
}

describe('billing maintain', () => {
  it('seals, backs up, checks the backup and records what succeeded', async () => {
    expect(await works()).toEqual({
      verify: { isEver: false, hasFailed: false },
      seal: { isEver: false, hasFailed: false },
      backup: { isEver: false, hasFailed: false },
      close: { isEver: false, hasFailed: false },
    })
    const backups = join(directory.path, 'backups')
    const run = await billing(['maintain', '--backup', backups])
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toMatch(/Seal 1 covers 6 events/)
    expect(run.stdout).toMatch(
      /has 6 events with genuine MACs and whole chains, the state of 1 seal, 3 personal keys that can be/,
    )
    expect(run.stdout).toMatch(/No month was closed with this installation yet/)
    const done = { isEver: true, hasFailed: false }
    expect(await works()).toMatchObject({ verify: done, seal: done, backup: done })
  }, 60_000)

  it('does the other work if one part fails, and records the failure until it succeeds', async () => {
    const file = join(directory.path, 'a file')
    await writeFile(file, '')
    const run = await billing(['maintain', '--backup', file])
    expect(run).toMatchObject({ code: 1 })
    expect(run.stdout).toMatch(/Seal 2 covers/)
    expect(run.stderr).toMatch(/The backup failed: .* cannot be created/)
    expect(await works()).toMatchObject({
      seal: { isEver: true, hasFailed: false },
      backup: { isEver: true, hasFailed: true },
    })
    const restore = await breakEvent({ pool: database.pool, store }, stream, 0)
    expect(await billing(['events', 'verify'])).toMatchObject({ code: 1 })
    expect(await works()).toMatchObject({ verify: { isEver: true, hasFailed: true } })
    await restore()
    expect(await billing(['events', 'verify'])).toMatchObject({ code: 0 })
    expect(await works()).toMatchObject({ verify: { isEver: true, hasFailed: false } })
  }, 60_000)
})

describe('billing backup check', () => {
  it('needs no database, and names what is wrong with a backup', async () => {
    const [name = ''] = await readdir(join(directory.path, 'backups'))
    const backup = join(directory.path, 'backups', name)
    const noDatabase = { DATABASE_URL: 'postgres://localhost:1/none' }
    const check = (from: string, over = {}) =>
      billing(['backup', 'check', from], { ...noDatabase, ...over })
    expect(await check(backup)).toMatchObject({ code: 0 })

    const cut = join(directory.path, 'cut')
    await mkdir(cut)
    const text = gunzipSync(await readFile(join(backup, backupFileName))).toString()
    await writeFile(join(cut, backupFileName), gzipSync(text.slice(0, -30)))
    expect(await check(cut)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is incomplete') as unknown,
    })
    const event = await forged(backup, 'event', (whole) =>
      whole.replace('"type":"AccountOpened"', '"type":"EmailVerified"'),
    )
    expect(await check(event)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no MAC of this AUDIT_KEY/) as unknown,
    })
    // A restore refuses it too, unless the operator wants it as it is.
    const target = await createTestDatabase()
    try {
      const over = { DATABASE_URL: target.connectionString }
      const refused = await billing(['restore', event], over)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/no MAC of this AUDIT_KEY.*Nothing was restored/s)
      const accepted = await billing(['restore', event, '--unproven'], over)
      expect(accepted).toMatchObject({ code: 0 })
    } finally {
      await target.drop()
    }
    const key = await forged(backup, 'key', (whole) =>
      whole.replace(/("wrapped_key":"\\\\x01)([0-9a-f]{8})/, '$100000000'),
    )
    expect(await check(key)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be unwrapped/) as unknown,
    })
    expect(await check(backup, { MASTER_KEY: randomBytes(32).toString('hex') })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/another MASTER_KEY/) as unknown,
    })
  }, 60_000)
})
