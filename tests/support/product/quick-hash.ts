import { createSlowHash, type SlowHash } from '#services/foundation/slow-hash'

/**
 * The product's hash of codes, at the least cost. The tests of an area sign in hundreds of times,
 * and a hash of the product takes 0.1 s.
 */
export function createQuickHash(): SlowHash {
  return createSlowHash({ N: 2 })
}
