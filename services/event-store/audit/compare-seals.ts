import { countOf, formatCount } from '#services/foundation/format-count'
import type { SealedHeadRecord, Segment } from './chain-segment.ts'
import type { SealProblem } from './check-seals.ts'
import { createMerkleTree } from './merkle-tree.ts'
import { leafOf, type Seal } from './seal.ts'

/**
 * Compares the log with its genuine seals, stream by stream. A seal has the root of the heads that
 * changed since the seal before it, so each event is compared once, however many seals there are.
 * The root of all heads is compared for the newest seal, whose state follows from the earlier ones.
 */
interface SealComparison {
  /**
   * Call it for every stream, ordered by stream name. False if the log differs from the heads that
   * the database has for the seals.
   */
  add(stream: string, segments: readonly Segment[], sealed: readonly SealedHeadRecord[]): boolean
  problems(log: { readonly events: number }): readonly SealProblem[]
}

export function createSealComparison(
  seals: readonly Seal[],
  /** Whether seals are known to be missing, so that their heads are no news. */
  hasProblems: boolean,
): SealComparison {
  /** For each seal: the changed heads by the log, and by the rows of the database. */
  const inLog = seals.map(createMerkleTree)
  const inRows = seals.map(createMerkleTree)
  const allHeads = createMerkleTree()
  let unknownRows = 0

  return {
    add(stream, segments, sealed) {
      let newest: Segment | null = null
      for (const segment of segments) {
        const tree = inLog[segment.epoch]
        if (tree === undefined) break
        tree.add(leafOf({ stream, revision: segment.revision, hash: segment.hash }))
        newest = segment
      }
      if (newest !== null)
        allHeads.add(leafOf({ stream, revision: newest.revision, hash: newest.hash }))
      let agrees = true
      for (const { sequence, revision, hash } of sealed) {
        const tree = inRows[sequence - 1]
        if (tree === undefined) unknownRows += 1
        tree?.add(leafOf({ stream, revision, hash }))
        const segment = segments.find(({ epoch }) => epoch === sequence - 1)
        agrees &&= segment?.revision === revision && segment.hash === hash
      }
      return agrees
    },

    problems({ events }) {
      const problems: SealProblem[] = []
      let isReproduced = true
      for (const [
        index,
        { sequence, sealedAt, changed, events: covered, heads },
      ] of seals.entries()) {
        if (inRows[index]?.root() !== changed.root)
          problems.push({
            kind: 'changed-heads',
            sequence,
            text: `The ${formatCount(changed.count)} heads that the database has for the seal of ${sealedAt} were changed or removed.`,
          })
        const isNewest = index === seals.length - 1
        const holds =
          inLog[index]?.root() === changed.root && (!isNewest || allHeads.root() === heads.root)
        // A removed event moves the events behind it into earlier seals: only the first seal says
        // where the log differs.
        if (holds || !isReproduced) continue
        isReproduced = false
        const now =
          events < covered
            ? `The log has ${countOf(events, 'event')}.`
            : covered === 1
              ? 'The first event of the log is not that event.'
              : `The first ${formatCount(covered)} events of the log are not those.`
        problems.push({
          kind: 'not-reproduced',
          sequence,
          text: `The seal of ${sealedAt} covers ${countOf(covered, 'event')} in ${countOf(heads.count, 'stream')}. ${now}`,
        })
      }
      if (unknownRows > 0 && !hasProblems)
        problems.push({
          kind: 'missing-seal',
          sequence: seals.length + 1,
          text: `The database has ${countOf(unknownRows, 'head')} of this or a later seal, and not the seal.`,
        })
      return problems
    },
  }
}
