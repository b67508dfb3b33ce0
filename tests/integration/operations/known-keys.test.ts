import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { rotateMasterKey } from '#services/operations/keys/rotate-master-key'
import { StartupError } from '#services/foundation/startup-error'
import {
  assertKnownKeys,
  missingMasterKey,
  refuseOtherKeys,
} from '#services/keys/assert-known-keys'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('DELETE FROM app.key_fingerprint'))

const keys = () => ({
  masterKey: randomBytes(32),
  emailHmacKey: randomBytes(32),
  portalKey: randomBytes(32),
  auditKey: randomBytes(32),
})

describe('the keys of a database', () => {
  it('are those of the first start: the same keys are accepted again', async () => {
    const first = keys()
    await assertKnownKeys(database.pool, first)
    await expect(assertKnownKeys(database.pool, first)).resolves.toBeUndefined()
  })

  it.each([
    ['MASTER_KEY', 'masterKey', 'personal data cannot be read'],
    ['EMAIL_HMAC_KEY', 'emailHmacKey', 'a second account'],
    ['PORTAL_KEY', 'portalKey', 'would lead nowhere'],
    ['AUDIT_KEY', 'auditKey', 'count as forged'],
  ])('refuse another %s, and say what would happen', async (name, field, consequence) => {
    const first = keys()
    await assertKnownKeys(database.pool, first)
    const start = assertKnownKeys(database.pool, { ...first, [field]: randomBytes(32) })
    await expect(start).rejects.toThrow(StartupError)
    await expect(start).rejects.toThrow(new RegExp(`^${name} differs .*${consequence}`))
    await expect(assertKnownKeys(database.pool, first)).resolves.toBeUndefined()
  })

  it('are the keys of one of two first starts at the same time', async () => {
    const starts = await Promise.allSettled(
      [keys(), keys()].map((each) => assertKnownKeys(database.pool, each)),
    )
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('are missing in a process that runs with the former MASTER_KEY alone after a rotation', async () => {
    const former = keys()
    await assertKnownKeys(database.pool, former)
    expect(await missingMasterKey(database.pool, former)).toBeNull()
    const masterKey = randomBytes(32)
    await rotateMasterKey({
      pool: database.pool,
      masterKeys: masterKeysOf(masterKey, former.masterKey),
    })
    expect(await missingMasterKey(database.pool, former)).toMatch(
      /^This process does not have the MASTER_KEY of fingerprint [0-9a-f]{16}, .*Restart this process/,
    )
    const both = { ...former, masterKey, previousMasterKey: former.masterKey }
    expect(await missingMasterKey(database.pool, both)).toBeNull()
  })

  it('are not stored by a command before the first start', async () => {
    await refuseOtherKeys(database.pool, keys())
    await expect(assertKnownKeys(database.pool, keys())).resolves.toBeUndefined()
  })
})
