import { countOf, formatCount } from '#services/foundation/format-count'
import type { SealKeys } from './audit-keys.ts'
import { hashOfSeal, isGenuineSeal, type Seal } from './seal.ts'

/** A problem of the manifest, or a seal that the log contradicts. */
export interface SealProblem {
  readonly kind: 'forged-seal' | 'missing-seal' | 'changed-heads' | 'not-reproduced'
  readonly sequence: number
  readonly text: string
}

/** A seal as it was found. */
export interface StoredSeal {
  readonly sequence: number
  /** Null if its content is no seal. */
  readonly seal: Seal | null
}

/** Seals from one place, in the order of their sequence numbers. */
export interface SealSource {
  /** Where the seals are, for messages: `the database`. */
  readonly name: string
  readonly seals: readonly StoredSeal[]
  /** The numbers of the seals that the place took, so that a missing one was removed. */
  readonly taken?: ReadonlySet<number>
}

interface CheckedSeals {
  /** The genuine seals from the first one on, up to the first one that no source has. */
  readonly seals: readonly Seal[]
  readonly problems: readonly SealProblem[]
}

/**
 * Checks the signatures of seals, their sequence and their links. Several sources must have the
 * same seals. The first source is the complete one; another one may lack the newest seals, unless
 * it took them.
 */
export function checkSeals(sources: readonly SealSource[], keys: SealKeys): CheckedSeals {
  const problems: SealProblem[] = []
  const report = (kind: SealProblem['kind'], sequence: number, text: string) =>
    problems.push({ kind, sequence, text })
  const newest = Math.max(0, ...sources.flatMap(({ seals }) => seals.map((one) => one.sequence)))
  const chosen: Seal[] = []
  for (let sequence = 1; sequence <= newest; sequence += 1) {
    const genuine: Seal[] = []
    for (const [index, { name, seals, taken }] of sources.entries()) {
      const found = seals.filter((one) => one.sequence === sequence)
      const isExpected =
        index === 0 || taken?.has(sequence) === true || seals.some((one) => one.sequence > sequence)
      if (found.length === 0 && isExpected)
        report('missing-seal', sequence, `The seal was removed from ${name}.`)
      for (const { seal } of found) {
        if (seal?.sequence === sequence && isGenuineSeal(seal, keys)) genuine.push(seal)
        else
          report(
            'forged-seal',
            sequence,
            `The seal in ${name} is not signed with this AUDIT_KEY: the seal or AUDIT_KEY was changed.`,
          )
      }
    }
    const [first, ...others] = genuine
    if (first === undefined) break
    if (others.some((other) => other.signature !== first.signature))
      report(
        'forged-seal',
        sequence,
        `There are two seals with this number, of ${first.sealedAt} and of another time or log. A backup from before a seal was restored, or the seals are of two products.`,
      )
    const before = chosen.at(-1)
    if (first.previousSeal !== (before === undefined ? null : hashOfSeal(before))) {
      report('forged-seal', sequence, 'The seal does not continue the seal before it.')
      break
    }
    if (before !== undefined && first.events < before.events) {
      report(
        'forged-seal',
        sequence,
        `The seal covers ${countOf(first.events, 'event')}, and the seal before it ${formatCount(before.events)}: a log only grows, so the owner of AUDIT_KEY signed another history.`,
      )
      break
    }
    chosen.push(first)
  }
  return { seals: chosen, problems }
}
