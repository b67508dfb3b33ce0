import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  createMerkleTree,
  rootOfPath,
  type PathStep,
} from '#services/event-store/audit/merkle-tree'

/** The definition of RFC 6962, section 2.1, word by word. */
function mth(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(Buffer.of(0), Buffer.from(leaves[0] ?? ''))
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha256(Buffer.of(1), mth(leaves.slice(0, k)), mth(leaves.slice(k)))
}

function sha256(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

describe('a Merkle tree', () => {
  it('has the root that RFC 6962 defines, at any number of leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 70 }), (leaves) => {
        const tree = createMerkleTree()
        for (const leaf of leaves) tree.add(leaf)
        expect(tree.size).toBe(leaves.length)
        expect(tree.root()).toBe(mth(leaves).toString('hex'))
      }),
    )
  })

  it('has the known root of an empty tree', () => {
    expect(createMerkleTree().root()).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })

  it('proves every leaf by its path, and no other leaf', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 40 }), (leaves) => {
        const tree = createMerkleTree()
        const paths = leaves.map((leaf) => {
          const path: PathStep[] = []
          tree.add(leaf, path)
          return path
        })
        const root = tree.root()
        for (const [index, leaf] of leaves.entries()) {
          const path = paths[index] ?? []
          expect(rootOfPath(leaf, path)).toBe(root)
          expect(rootOfPath(`${leaf}x`, path)).not.toBe(root)
          const [first, ...rest] = path
          if (first === undefined) continue
          const turned = { ...first, side: first.side === 'left' ? 'right' : 'left' } as const
          expect(rootOfPath(leaf, [turned, ...rest])).not.toBe(root)
        }
      }),
    )
  })
})
