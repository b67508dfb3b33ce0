import type { KeyObject } from 'node:crypto'
import { createSortedSpool } from '#services/foundation/spool/sorted-spool'
import { subjectOf } from '#services/foundation/stream-names'
import { decryptField, replaceEncrypted } from './encrypted-field.ts'
import type { PersonalKeys } from './personal-keys.ts'
import type { EventStore, StreamEvent } from '../event-store.ts'

/**
 * A person or enquiry with encrypted fields that cannot be read although the log has no erasure.
 */
export interface KeyProblem {
  readonly subject: string
  /** `missing`: there is no key. `wrong`: the key is not the one that encrypted the event. */
  readonly kind: 'missing' | 'wrong'
  /** The first event that cannot be read. */
  readonly stream: string
  readonly revision: number
  readonly eventId: string
  /** A sentence that names the subject and the event. */
  readonly text: string
}

export interface KeysChecked {
  /** Ordered by subject. At most 1,000. */
  readonly problems: readonly KeyProblem[]
  readonly subjectsWithProblems: number
  /** The subjects whose keys an import left out: their fields cannot be read in this database. */
  readonly leftOut: number
}

export interface PersonalKeyCheck {
  /** Reads the keys of a page of the log, and decrypts every encrypted field. */
  add(page: readonly StreamEvent[]): Promise<void>
  /** Call it after the last page. */
  result(): Promise<KeysChecked>
  /** Every problem, ordered by subject. */
  problems(): AsyncGenerator<KeyProblem>
  /** Removes the temporary files. */
  remove(): Promise<void>
}

type Found =
  | { readonly kind: 'left-out' }
  | (Omit<KeyProblem, 'subject' | 'text'> & { readonly reason: string })

const maxProblems = 1_000

/**
 * Finds keys that were destroyed or replaced without an erasure in the log. Needs constant memory
 * at any number of persons. An event with a changed ciphertext counts as an event of a wrong key:
 * its MAC tells them apart.
 */
export function createPersonalKeyCheck(
  keys: Pick<PersonalKeys, 'statesOf'>,
  { capacity }: { readonly capacity?: number } = {},
): PersonalKeyCheck {
  const spool = createSortedSpool<Found>({
    // The first problem of each subject.
    combine: (earlier) => earlier,
    ...(capacity !== undefined && { capacity }),
  })

  async function* problems(): AsyncGenerator<KeyProblem> {
    for await (const { key: subject, values } of spool.sorted()) {
      const [found] = values
      if (found === undefined || found.kind === 'left-out') continue
      const { kind, stream, revision, eventId, reason } = found
      const text = `The personal key of '${subject}' ${reason}, and the log has no erasure of '${subject}'. Event ${eventId} (revision ${revision} of '${stream}') cannot be read.`
      yield { subject, kind, stream, revision, eventId, text }
    }
  }

  return {
    async add(page) {
      const encrypted = page.flatMap((event) => {
        const subject = hasEncrypted(event) ? subjectOf(event.stream, event.data) : null
        return subject === null ? [] : [{ event, subject }]
      })
      if (encrypted.length === 0) return
      const states = await keys.statesOf(new Set(encrypted.map(({ subject }) => subject)))
      for (const { event, subject } of encrypted) {
        const state = states.get(subject)
        const { stream, revision, id: eventId } = event
        if (state === undefined || state.kind === 'erased') continue
        if (state.kind === 'left-out') spool.add(subject, { kind: 'left-out' })
        else if (state.kind === 'missing')
          spool.add(subject, { kind: 'missing', stream, revision, eventId, reason: state.reason })
        else if (!decrypts(event, state.key))
          spool.add(subject, {
            kind: 'wrong',
            stream,
            revision,
            eventId,
            reason: 'is not the key that encrypted the event',
          })
      }
      await spool.writeIfFull()
    },

    async result() {
      const listed: KeyProblem[] = []
      let [subjectsWithProblems, leftOut] = [0, 0]
      for await (const problem of problems()) {
        subjectsWithProblems += 1
        if (listed.length < maxProblems) listed.push(problem)
      }
      for await (const { values } of spool.sorted())
        if (values[0]?.kind === 'left-out') leftOut += 1
      return { problems: listed, subjectsWithProblems, leftOut }
    },

    problems,
    remove: () => spool.remove(),
  }
}

/** Reads the whole log and checks its keys. `work` gets the check while its files exist. */
export async function checkPersonalKeys<Result>(
  store: Pick<EventStore, 'readAll'>,
  keys: Pick<PersonalKeys, 'statesOf'>,
  {
    onEvents = () => undefined,
    signal,
  }: { readonly onEvents?: (count: number) => void; readonly signal?: AbortSignal },
  work: (checked: PersonalKeyCheck) => Promise<Result>,
): Promise<Result> {
  const check = createPersonalKeyCheck(keys)
  try {
    for await (const page of store.readAll(null)) {
      signal?.throwIfAborted()
      await check.add(page)
      onEvents(page.length)
    }
    return await work(check)
  } finally {
    await check.remove()
  }
}

/** Whether a key decrypts every encrypted field of an event. */
export function decrypts({ id, data }: Pick<StreamEvent, 'id' | 'data'>, key: KeyObject): boolean {
  try {
    replaceEncrypted(data, (field, path) => decryptField(key, id, path, field))
    return true
  } catch {
    return false
  }
}

/** Whether an event has an encrypted field. Data that are no object are damaged: see the MAC. */
export function hasEncrypted({ data }: Pick<StreamEvent, 'data'>): boolean {
  if (typeof data !== 'object' || data === null) return false
  let found = false
  replaceEncrypted(data, () => {
    found = true
    return null
  })
  return found
}
