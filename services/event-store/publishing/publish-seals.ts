import type { Queryable } from '#services/foundation/queryable'
import { StartupError } from '#services/foundation/startup-error'
import type { SealSource } from '../audit/check-seals.ts'
import { readSeals } from '../audit/seal-table.ts'
import { publishedTo, recordPublished } from './published-seal-table.ts'
import type { SealPlace } from './seal-place.ts'

/** What became of the seals that a place did not have. */
export interface Publication {
  readonly place: string
  /** The numbers of the seals that the place took now. */
  readonly published: readonly number[]
  /** The numbers of the seals that the place still does not have. */
  readonly unpublished: readonly number[]
  /** Why, in a sentence. Null if the place has every seal. */
  readonly failure: string | null
}

/**
 * Gives each place the seals of the database that it did not take yet, in their order. Stops at the
 * first seal that a place does not take, so that no place has a gap. A failure is part of the
 * result, and the next call tries again.
 */
export async function publishSeals(
  db: Queryable,
  places: readonly SealPlace[],
): Promise<readonly Publication[]> {
  const results: Publication[] = []
  for (const place of places) results.push(await publishTo(db, place))
  return results
}

async function publishTo(db: Queryable, place: SealPlace): Promise<Publication> {
  const known = await publishedTo(db, place.name)
  const missing = (await readSeals(db)).filter(({ sequence }) => !known.has(sequence))
  const published: number[] = []
  for (const [index, { sequence, seal }] of missing.entries()) {
    const failure =
      seal === null
        ? `Seal ${sequence} of the database is no seal. Run 'billing events verify'.`
        : await failureOf(() => place.publish(seal))
    if (failure !== null) {
      const unpublished = missing.slice(index).map((each) => each.sequence)
      return { place: place.name, published, unpublished, failure }
    }
    await recordPublished(db, place.name, sequence)
    published.push(sequence)
  }
  return { place: place.name, published, unpublished: [], failure: null }
}

/** The published seals, to compare the database with them. */
export interface PublishedSeals {
  readonly sources: readonly SealSource[]
  /** A sentence for each place that could not be read. */
  readonly failures: readonly string[]
  /** The seals of the database that a place did not take yet. */
  readonly waiting: readonly { readonly place: string; readonly sequences: readonly number[] }[]
}

/** Reads what each place has. A place that only takes seals is no source. */
export async function readPublished(
  db: Queryable,
  places: readonly SealPlace[],
): Promise<PublishedSeals> {
  const sources: SealSource[] = []
  const failures: string[] = []
  const waiting: PublishedSeals['waiting'][number][] = []
  for (const { name, read } of places) {
    // Before the place is read, so that the place has what the database knows.
    const stored = await readSeals(db)
    const taken = await publishedTo(db, name)
    const sequences = stored.map((each) => each.sequence).filter((each) => !taken.has(each))
    if (sequences.length > 0) waiting.push({ place: name, sequences })
    if (read === null) continue
    const failure = await failureOf(async () => {
      sources.push({ name, seals: await read(), taken })
    })
    if (failure !== null) failures.push(failure)
  }
  return { sources, failures, waiting }
}

/** Null if `work` succeeds. Another error than a StartupError is a fault of the program. */
async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
}
