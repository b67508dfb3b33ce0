import { createHash } from 'node:crypto'

/**
 * The customers that the auditor reads. They follow from the seal and from a text of the auditor,
 * so that the operator cannot choose them.
 */
export interface Sample {
  add(userId: string): void
  /** In the order of their tickets. */
  userIds(): readonly string[]
}

/**
 * The `size` customers with the lowest ticket. A ticket is the SHA-256, in lower-case hex, of
 * `<root> <seed> <user id>`. `root` is the root of all heads of the newest seal.
 */
export function createSample(size: number, root: string, seed: string): Sample {
  let lowest: { readonly ticket: string; readonly userId: string }[] = []
  return {
    add(userId) {
      const ticket = createHash('sha256').update(`${root} ${seed} ${userId}`).digest('hex')
      lowest.push({ ticket, userId })
      lowest = lowest.toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1)).slice(0, size)
    },
    userIds: () => lowest.map(({ userId }) => userId),
  }
}
