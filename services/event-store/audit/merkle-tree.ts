import { createHash } from 'node:crypto'

/**
 * A Merkle tree by RFC 6962, section 2.1: SHA-256, with 0x00 before a leaf and 0x01 before the two
 * halves of a node. Memory grows with the logarithm of the number of leaves.
 */
export interface MerkleTree {
  /** `path` collects the inclusion path of this leaf. It is complete when `root` has returned. */
  add(leaf: string, path?: PathStep[]): void
  readonly size: number
  /** In lower-case hex. The root of an empty tree is the SHA-256 of nothing. Call it once. */
  root(): string
}

/** A step from a leaf to the root: the hash beside the path, in lower-case hex, and its side. */
export interface PathStep {
  readonly side: 'left' | 'right'
  readonly hash: string
}

interface Subtree {
  readonly hash: Buffer
  readonly leaves: number
  /** The paths of the leaves below that were requested. */
  readonly paths: readonly PathStep[][]
}

export function createMerkleTree(): MerkleTree {
  /** Complete subtrees from left to right, each smaller than the one before it. */
  const subtrees: Subtree[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    add(leaf, path) {
      size += 1
      let added: Subtree = { hash: leafHash(leaf), leaves: 1, paths: path ? [path] : [] }
      while (subtrees.at(-1)?.leaves === added.leaves) {
        const left = subtrees.pop()
        if (left !== undefined) added = join(left, added)
      }
      subtrees.push(added)
    },
    root() {
      const whole = subtrees.reduceRight<Subtree | null>(
        (right, left) => (right === null ? left : join(left, right)),
        null,
      )
      return (whole?.hash ?? sha256()).toString('hex')
    },
  }
}

/** The root of the tree that has the leaf at the end of `path`. */
export function rootOfPath(leaf: string, path: readonly PathStep[]): string {
  return path
    .reduce((hash, { side, hash: beside }) => {
      const other = Buffer.from(beside, 'hex')
      return side === 'left' ? nodeHash(other, hash) : nodeHash(hash, other)
    }, leafHash(leaf))
    .toString('hex')
}

function join(left: Subtree, right: Subtree): Subtree {
  for (const path of left.paths) path.push({ side: 'right', hash: right.hash.toString('hex') })
  for (const path of right.paths) path.push({ side: 'left', hash: left.hash.toString('hex') })
  return {
    hash: nodeHash(left.hash, right.hash),
    leaves: left.leaves + right.leaves,
    paths: [...left.paths, ...right.paths],
  }
}

function leafHash(leaf: string): Buffer {
  return sha256(Buffer.of(0), Buffer.from(leaf))
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.of(1), left, right)
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
