import { createSecretKey, type KeyObject } from 'node:crypto'
import { erasedSubject, type PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { clientSubjects, enquirySubjects } from '#services/foundation/stream-names'

/**
 * Keys that are the same in every run and need no database. The data of a person without a key here
 * reads as erased.
 */
export function fixedKeys(keys: Readonly<Record<string, Buffer>>): PersonalKeys {
  const known = new Map<string, KeyObject>(
    Object.entries(keys).map(([subject, key]) => [subject, createSecretKey(key)]),
  )
  return {
    forWriting: (subject) => Promise.resolve(known.get(subject) ?? null),
    createAll: () => Promise.resolve(),
    forReading: (subjects) =>
      Promise.resolve(
        new Map([...subjects].map((subject) => [subject, known.get(subject) ?? erasedSubject])),
      ),
    statesOf: (subjects) =>
      Promise.resolve(
        new Map(
          [...subjects].map((subject) => {
            const key = known.get(subject)
            return [subject, key === undefined ? { kind: 'erased' } : { kind: 'readable', key }]
          }),
        ),
      ),
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
    erase: (subject) => {
      known.delete(subject)
      return Promise.resolve()
    },
    forget: () => undefined,
  }
}
