import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { SlowHash } from '#services/foundation/slow-hash'
import { StartupError } from '#services/foundation/startup-error'

const keyLength = 32

/** The value of ADMIN_PASSWORD_HASH: `scrypt$<salt>$<hash>`, salt and hash in base64url. */
export async function hashAdminPassword(password: string, slowHash: SlowHash): Promise<string> {
  const salt = randomBytes(16)
  const hash = await slowHash(password, salt, keyLength)
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * The returned check compares in constant time. It throws GateIsFull if too many hashes are
 * waiting.
 * @throws StartupError if `passwordHash` does not have the form of `hashAdminPassword`
 */
export function createAdminPasswordCheck(
  passwordHash: string,
  slowHash: SlowHash,
): (password: string) => Promise<boolean> {
  const match = /^scrypt\$([\w-]{16,})\$([\w-]{43})$/.exec(passwordHash)
  if (!match)
    throw new StartupError(
      'ADMIN_PASSWORD_HASH does not have the form scrypt$salt$hash. Create a hash with: npm run hash-admin-password',
    )
  const salt = Buffer.from(match[1] ?? '', 'base64url')
  const expected = Buffer.from(match[2] ?? '', 'base64url')
  return async (password) => timingSafeEqual(await slowHash(password, salt, keyLength), expected)
}
