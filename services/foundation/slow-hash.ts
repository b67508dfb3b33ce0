import { scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { createWorkGate } from './work-gate.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * The scrypt hash of a secret, in `length` bytes.
 * @throws GateIsFull if too many hashes are waiting
 */
export type SlowHash = (
  secret: string,
  salt: Buffer,
  length: number,
  options?: ScryptOptions,
) => Promise<Buffer>

/**
 * A hash takes 16 to 32 MB, and 0.05 to 0.2 s of a thread. Two at once leave threads for everything
 * else. The last of 50 waiting hashes begins after 1 to 5 s.
 */
const limits = { atOnce: 2, waiting: 50 }

/** One for the whole process: sign-in codes and the administrators' password share the limit. */
export function createSlowHash(): SlowHash {
  const gate = createWorkGate(limits)
  return (secret, salt, length, options = {}) =>
    gate.run(() => derive(secret, salt, length, options))
}
