import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { readEmailKeyHistory } from '#services/event-store/encryption/email-key-history'
import { readKeys } from '#services/event-store/encryption/key-table'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { exportLog } from '#services/event-store/transfer/export-log'
import { importLog } from '#services/event-store/transfer/import-log'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { createEmailKeyWorld, emailKeyWorldKeys } from '../../support/product/email-key-world.ts'

const [former, latter, third] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const
const [formerPrint, latterPrint] = [former, latter].map(keyFingerprint)
const email = 'dana@copies.example'
const takenAt = '2026-03-03T02:00:00.000Z'

/** A system whose EMAIL_HMAC_KEY was rotated once, and a fresh database. */
let source: System
let target: System
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let userId: string
type System = Awaited<ReturnType<typeof system>>

async function system() {
  const database: TestDatabase = await createTestDatabase()
  const { pool, connectionString } = database
  const eventLog = createPostgresEventLog({ connectionString, pool })
  return { database, pool, eventLog, world: createEmailKeyWorld(database, eventLog.store) }
}
async function end({ database, eventLog }: System): Promise<void> {
  await eventLog.store.close()
  await database.drop()
}

beforeAll(async () => {
  directory = await temporaryDirectory()
  source = await system()
  const before = await source.world.start(former)
  userId = await before.enter(email)
  await before.close()
  await source.world.rotate(latter, former)
})
afterAll(async () => {
  await end(source)
  await directory.remove()
})
beforeEach(async () => {
  target = await system()
})
afterEach(() => end(target))

async function written(name: string, texts: AsyncIterable<string>): Promise<string> {
  const lines: string[] = []
  for await (const text of texts) lines.push(text)
  const file = join(directory.path, name)
  await writeFile(file, gzipSync(lines.join('')))
  return file
}

/** The account is found, and no key from before can be used again. */
async function expectSameKeys(): Promise<void> {
  await expect(target.world.assertStart(third)).rejects.toThrow(
    `The database needs the key of fingerprint ${latterPrint}`,
  )
  const after = await target.world.start(latter)
  expect(await after.enter(email)).toBe(userId)
  await after.close()
  await expect(target.world.rotate(former, latter)).rejects.toThrow(
    `The EMAIL_HMAC_KEY of fingerprint ${formerPrint} was in use before and cannot be used again.`,
  )
  expect(await target.world.rotate(third, latter)).toMatchObject({ addresses: 1 })
  const last = await target.world.start(third)
  expect(await last.enter(email)).toBe(userId)
  await last.close()
  await target.world.assertLog(third, latter, former)
}

describe('after a rotation of EMAIL_HMAC_KEY', () => {
  it('an import needs the key of the export, and refuses the keys that it replaced', async () => {
    const { pool, eventLog } = source
    const file = await written(
      'log.gz',
      exportLog(eventLog.store, {
        exportedAt: takenAt,
        keys: readKeys(pool),
        emailKey: await readEmailKeyHistory(pool),
      }),
    )
    const importWith = (emailHmacKey: Buffer) =>
      importLog(file, {
        ...target,
        masterKey: emailKeyWorldKeys.masterKey,
        emailHmacKey,
        auditKey,
      })
    await expect(importWith(former)).rejects.toThrow(
      `The accounts in this export are found by another EMAIL_HMAC_KEY, of fingerprint ${latterPrint}. The EMAIL_HMAC_KEY that is set has fingerprint ${formerPrint}.`,
    )
    expect(await target.eventLog.store.lastPosition()).toBeNull()
    await importWith(latter)
    await expectSameKeys()
  })

  it('a restored database refuses a start with another key', async () => {
    const { pool, eventLog } = source
    const keys = { ...emailKeyWorldKeys, emailHmacKey: latter }
    const file = await written('backup.gz', takeBackup({ pool, eventLog, takenAt, keys }))
    await restoreBackup(file, { ...target, keys })
    await expectSameKeys()
  })
})
