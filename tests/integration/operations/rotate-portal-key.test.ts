import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { parseClientId } from '#contracts/ids'
import { rotatePortalKey } from '#services/operations/keys/rotate-portal-key'
import { createPortalTokens } from '#services/receivables/portal/portal-tokens'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const [former, latter, third]: Buffer[] = [randomBytes(32), randomBytes(32), randomBytes(32)]
if (former === undefined || latter === undefined || third === undefined) throw new Error('No keys.')
const others = {
  masterKey: randomBytes(32),
  emailHmacKey: randomBytes(32),
  auditKey: randomBytes(32),
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await assertKnownKeys(database.pool, { ...others, portalKey: former })
})
afterAll(() => database?.drop())

const start = (portalKey: Buffer, previousPortalKey: Buffer | null = null) =>
  assertKnownKeys(database.pool, { ...others, portalKey, previousPortalKey })

it('PORTAL_KEY is changed while processes have both keys, and a start then needs the new one', async () => {
  await expect(start(latter)).rejects.toThrow('every link to the client portal in a sent message')
  await expect(start(former, latter)).resolves.toBeUndefined()
  await expect(start(latter, former)).resolves.toBeUndefined()
  await expect(
    rotatePortalKey(database.pool, { portalKey: latter, previousPortalKey: third }),
  ).rejects.toThrow('neither PORTAL_KEY nor PORTAL_KEY_PREVIOUS has it')
  const both = { portalKey: latter, previousPortalKey: former }
  expect(await rotatePortalKey(database.pool, both)).toEqual({ kind: 'rotated' })
  expect(await rotatePortalKey(database.pool, both)).toEqual({ kind: 'current' })
  await expect(start(latter)).resolves.toBeUndefined()
  await expect(start(former)).rejects.toThrow('PORTAL_KEY differs')
})

it('links of both keys lead to the portal until the former key is removed', () => {
  const clientId = parseClientId(`client_${'0'.repeat(32)}`)
  const link = createPortalTokens([former]).tokenOf(clientId, 0)
  expect(createPortalTokens([latter, former]).isValid(link, clientId, 0)).toBe(true)
  expect(createPortalTokens([latter, former]).isValid(link, clientId, 1)).toBe(false)
  expect(createPortalTokens([latter]).isValid(link, clientId, 0)).toBe(false)
})
