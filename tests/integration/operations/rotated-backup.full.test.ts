import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { rotateMasterKey } from '#services/operations/keys/rotate-master-key'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { crashingPool, Killed } from '../../support/postgres/crashing-pool.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const former: Buffer = randomBytes(32)
const latter: Buffer = randomBytes(32)
const others = {
  emailHmacKey: randomBytes(32),
  portalKey: randomBytes(32),
  auditKey: randomBytes(32),
}
const both = { masterKey: latter, previousMasterKey: former, ...others }
const people = new Set(['usr_1', 'usr_2', 'usr_3', 'usr_4'])

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
  await assertKnownKeys(database.pool, { masterKey: former, ...others })
  const keys = createPersonalKeys(database.pool, former)
  for (const person of people) await keys.forWriting(person)
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

const logOf = ({ connectionString, pool }: TestDatabase) =>
  createPostgresEventLog({ connectionString, pool })

async function backUp(name: string): Promise<string> {
  const lines: string[] = []
  const eventLog = logOf(database)
  const options = { pool: database.pool, eventLog, takenAt: '2026-03-03T02:00:00.000Z' }
  // As the command does during a rotation: both keys are set.
  for await (const text of takeBackup({ ...options, keys: both })) lines.push(text)
  await eventLog.store.close()
  const file = join(directory.path, name)
  await writeFile(file, gzipSync(lines.join('')))
  return file
}

const rotate = (pool = database.pool) =>
  rotateMasterKey({ pool, masterKeys: masterKeysOf(latter, former), batch: 2 })

it('a backup from before or during a rotation needs the former MASTER_KEY, and the rotation continues in the restored database', async () => {
  const before = await backUp('before.gz')
  await expect(rotate(crashingPool(database.pool, 14))).rejects.toThrow(Killed)
  const during = await backUp('during.gz')
  await rotate()
  const after = await backUp('after.gz')

  for (const [file, needsFormer] of [
    [before, true],
    [during, true],
    [after, false],
  ] as const) {
    const target = await createTestDatabase()
    const eventLog = logOf(target)
    const restore = (keys: Parameters<typeof restoreBackup>[1]['keys']) =>
      restoreBackup(file, { pool: target.pool, eventLog, keys })
    if (needsFormer) {
      await expect(restore({ masterKey: latter, ...others })).rejects.toThrow(
        `The backup was taken with another MASTER_KEY, and needs the MASTER_KEY of fingerprint ${keyFingerprint(former)} (set: ${keyFingerprint(latter)}).`,
      )
      await restore(both)
      await expect(assertKnownKeys(target.pool, { masterKey: latter, ...others })).rejects.toThrow(
        /personal keys are still wrapped by another MASTER_KEY/,
      )
      await assertKnownKeys(target.pool, both)
      await rotateMasterKey({ pool: target.pool, masterKeys: masterKeysOf(latter, former) })
    } else {
      await expect(restore({ masterKey: former, ...others })).rejects.toThrow(/another MASTER_KEY/)
      await restore({ masterKey: latter, ...others })
    }
    await assertKnownKeys(target.pool, { masterKey: latter, ...others })
    const readable = await createPersonalKeys(target.pool, latter).forReading(people)
    expect(new Set(readable.keys())).toEqual(people)
    await eventLog.store.close()
    await target.drop()
  }
})
