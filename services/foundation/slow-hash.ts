import { scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { createWorkGate } from './work-gate.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * The scrypt hash of a secret, in `length` bytes.
 * @throws GateIsFull if too many hashes are waiting
 */
export type SlowHash = (secret: string, salt: Buffer, length: number) => Promise<Buffer>

/**
 * 32 MB a hash. Glibc maps a block above 32 MB apart and gives it back; of smaller ones each thread
 * of the pool would keep its last one for good.
 */
const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/**
 * A hash takes 0.1 to 0.2 s of a thread. Two at once leave threads for everything else. The last of
 * 50 waiting hashes begins after 3 to 5 s.
 */
const limits = { atOnce: 2, waiting: 50 }

/**
 * One for the whole process: sign-in codes and the administrators' password share the limit.
 * @param N a smaller cost, for tests that sign in often
 */
export function createSlowHash({ N }: Pick<typeof cost, 'N'> = cost): SlowHash {
  const gate = createWorkGate(limits)
  return (secret, salt, length) => gate.run(() => derive(secret, salt, length, { ...cost, N }))
}
