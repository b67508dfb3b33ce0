import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Queryable } from '#services/foundation/queryable'
import { masterKeysOf, wrapKey } from '#services/event-store/encryption/master-keys'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { clientSubjects, enquirySubjects } from '#services/foundation/stream-names'

export interface FreshKeys extends Omit<PersonalKeys, 'statesOf' | 'forget'> {
  /** Writes the keys that were made since the last call, in one statement. */
  store(db: Queryable): Promise<void>
}

/**
 * Makes a key for each new person without a query: no other process makes keys during the
 * generation.
 */
export function createFreshKeys(masterKey: Buffer): FreshKeys {
  const { current: master } = masterKeysOf(masterKey)
  const known = new Map<string, KeyObject>()
  let unstored: { subject: string; wrapped: Buffer }[] = []

  function keyOf(subject: string): KeyObject {
    const existing = known.get(subject)
    if (existing) return existing
    const bytes = randomBytes(32)
    const key = createSecretKey(bytes)
    known.set(subject, key)
    unstored.push({ subject, wrapped: wrapKey(master, subject, bytes) })
    return key
  }

  return {
    forWriting: (subject) => Promise.resolve(keyOf(subject)),
    createAll(subjects) {
      subjects.forEach(keyOf)
      return Promise.resolve()
    },
    forReading: (subjects) =>
      Promise.resolve(new Map([...known].filter(([subject]) => subjects.has(subject)))),
    clientsWith: (merchantId) =>
      Promise.resolve(
        [...known.keys()]
          .filter((subject) => subject.startsWith(clientSubjects(merchantId)))
          .sort(),
      ),
    enquiriesWith: (addresses) =>
      Promise.resolve(
        [...known.keys()]
          .filter((subject) => addresses.some((each) => subject.startsWith(enquirySubjects(each))))
          .sort(),
      ),
    erase: () => Promise.reject(new Error('No person is erased during the generation of a log.')),
    async store(db) {
      const fresh = unstored
      unstored = []
      await db.query(
        'INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by) SELECT subject, wrapped, $3 FROM unnest($1::text[], $2::bytea[]) AS k (subject, wrapped)',
        [
          fresh.map(({ subject }) => subject),
          fresh.map(({ wrapped }) => wrapped),
          master.fingerprint,
        ],
      )
    },
  }
}
