import { createSecretKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { bytesColumn } from '#services/foundation/columns'
import { inGroups } from '#services/foundation/in-groups'
import { inParallel } from '#services/foundation/in-parallel'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { orUnavailable } from '../database-unavailable.ts'
import { OtherMasterKey } from '../errors.ts'
import { leftOutKey } from './key-table.ts'
import { unwrapKey, type masterKeysOf } from './master-keys.ts'
import type { SubjectLog } from './subject-log.ts'

export type KeyState =
  | { readonly kind: 'readable'; readonly key: KeyObject }
  /** The log has the erasure, or no event of the subject. */
  | { readonly kind: 'erased' }
  /** An import of an export without keys: the fields cannot be read in this database. */
  | { readonly kind: 'left-out' }
  /**
   * There is no key, or one that cannot be unwrapped, and the log has no erasure. `reason` is a
   * predicate: 'was destroyed'.
   */
  | {
      readonly kind: 'missing'
      readonly reason: string
      /** Set if another MASTER_KEY can unwrap the key: the error of reading it. */
      readonly otherMasterKey: OtherMasterKey | null
    }

/** Of a subject that has events and no row. */
export const removedKey: KeyState = {
  kind: 'missing',
  reason: 'was removed from app.personal_key',
  otherMasterKey: null,
}

const keyRow = z.object({
  subject: z.string(),
  wrapped_key: bytesColumn.nullable(),
  wrapped_by: z.string().nullable(),
})

/** Streams that are read at once, to find erasures. */
export const parallelLooks = 8
/** Erased subjects that a process remembers. */
const knownErasures = 50_000

/**
 * Reads the states of the keys of these subjects. The result leaves out subjects without a row.
 * `subjects`: as in `PersonalKeyOptions`.
 */
export function createKeyStates({
  pool,
  masterKeys,
  subjects,
}: {
  readonly pool: Queryable
  readonly masterKeys: ReturnType<typeof masterKeysOf>
  readonly subjects: SubjectLog | null
}): (wanted: readonly string[]) => Promise<ReadonlyMap<string, KeyState>> {
  /** An erasure is never undone, so it is looked up once. */
  const erasures = new LRUCache<string, true>({ max: knownErasures })

  /** The commands of an import encrypt and decrypt for hundreds of subjects at once. */
  const rowsOf = inGroups({
    maxKeys: 128,
    atOnce: 2,
    answer: async (groups: readonly (readonly string[])[]) => {
      const rows = await orUnavailable(() =>
        allRows(
          pool,
          keyRow,
          'SELECT subject, wrapped_key, wrapped_by FROM app.personal_key WHERE subject = ANY ($1)',
          [[...new Set(groups.flat())]],
        ),
      )
      const bySubject = new Map(rows.map((row) => [row.subject, row]))
      return groups.map((subjects) => subjects.flatMap((subject) => bySubject.get(subject) ?? []))
    },
  })

  return async (wanted) => {
    const rows = await rowsOf(wanted)
    const states = new Map<string, KeyState>()
    await inParallel(
      parallelLooks,
      rows,
      async ({ subject, wrapped_key: wrapped, wrapped_by: by }) => {
        states.set(
          subject,
          wrapped === null ? await withoutKey(subject) : unwrapped(subject, wrapped, by ?? ''),
        )
      },
    )
    return states
  }

  async function withoutKey(subject: string): Promise<KeyState> {
    if (subjects === null || erasures.has(subject)) return { kind: 'erased' }
    if ((await subjects.stateOf(subject)) === 'open')
      return { kind: 'missing', reason: 'was destroyed', otherMasterKey: null }
    erasures.set(subject, true)
    return { kind: 'erased' }
  }

  function unwrapped(subject: string, wrapped: Buffer, by: string): KeyState {
    try {
      const key = unwrapKey(masterKeys, subject, wrapped, by)
      return key.equals(leftOutKey)
        ? { kind: 'left-out' }
        : { kind: 'readable', key: createSecretKey(key) }
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      return error instanceof OtherMasterKey
        ? {
            kind: 'missing',
            reason: `was wrapped with another MASTER_KEY, of fingerprint ${by}`,
            otherMasterKey: error,
          }
        : {
            kind: 'missing',
            reason: 'cannot be unwrapped, because its row in app.personal_key was changed',
            otherMasterKey: null,
          }
    }
  }
}
