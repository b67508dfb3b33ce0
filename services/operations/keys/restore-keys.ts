import { createSecretKey, type KeyObject } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { parseUserId } from '#contracts/ids'
import {
  checkPersonalKeys,
  decrypts,
  hasEncrypted,
  type KeyProblem,
} from '#services/event-store/encryption/check-personal-keys'
import {
  leftOutKey,
  replaceKey,
  wrappedKey,
  type WrappedKey,
} from '#services/event-store/encryption/key-table'
import { unwrapKey, type MasterKeys } from '#services/event-store/encryption/master-keys'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { SubjectLog } from '#services/event-store/encryption/subject-log'
import type { EventStore } from '#services/event-store/event-store'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import { firstStreamOf, streamsOfUser } from '#services/foundation/stream-names'

export interface RestoreKeysOptions {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>
  readonly keys: Pick<PersonalKeys, 'statesOf' | 'erase'>
  readonly subjects: SubjectLog
  readonly masterKeys: MasterKeys
  readonly onEvents?: (count: number) => void
  readonly signal?: AbortSignal
}

export interface RestoredKeys {
  /** The subjects whose key is restored. */
  readonly restored: readonly string[]
  /** Why the key of a subject was not restored. */
  readonly failed: ReadonlyMap<string, string>
}

/**
 * Restores the personal keys that are missing without an erasure, from a backup or an export with
 * keys. A key is written only if the log has no erasure of its subject, and if it decrypts the
 * event that cannot be read. The key of an erased person in the file is never used.
 * @throws StartupError for a damaged file, or a file without keys
 */
export async function restoreKeys(
  file: string,
  { pool, store, keys, subjects, masterKeys, onEvents, signal }: RestoreKeysOptions,
): Promise<RestoredKeys> {
  const observed = { ...(onEvents && { onEvents }), ...(signal && { signal }) }
  const problems = await checkPersonalKeys(store, keys, observed, async (checked) => {
    const missing = new Map<string, KeyProblem>()
    for await (const problem of checked.problems()) missing.set(problem.subject, problem)
    return missing
  })
  const inFile = await keysIn(file, problems)
  const restored: string[] = []
  const failed = new Map<string, string>()
  for (const [subject, problem] of problems) {
    const reason = await restoreOne(subject, problem)
    if (reason === null) restored.push(subject)
    else failed.set(subject, reason)
  }
  return { restored, failed }

  /** Null: the key is restored. Otherwise the reason why not. */
  async function restoreOne(subject: string, problem: KeyProblem): Promise<string | null> {
    const wrapped = inFile.get(subject)
    if (wrapped?.wrappedKey == null) return 'the file has no key of this subject'
    const plain = unwrapped(wrapped)
    if (!Buffer.isBuffer(plain)) return plain
    if (plain.equals(leftOutKey)) return 'an import left the key out of the file'
    const [event] = await store.readStream(problem.stream, problem.revision, 1)
    if (event === undefined || !decrypts(event, createSecretKey(plain)))
      return `the key in the file does not decrypt event ${problem.eventId}`
    const present = (await keys.statesOf(new Set([subject]))).get(subject)
    if (present?.kind === 'readable' && (await isInUse(subject, present.key)))
      return 'the key in the database has encrypted later events, so neither key reads all of them'
    if ((await subjects.stateOf(subject)) === 'erased') return 'the subject was erased meanwhile'
    await replaceKey(pool, masterKeys, subject, plain)
    // An erasure appends its event first: either this look sees it, or it destroys this key.
    if ((await subjects.stateOf(subject)) === 'erased') await keys.erase(subject)
    return null
  }

  function unwrapped({ subject, wrappedKey: text, wrappedBy }: WrappedKey): Buffer | string {
    try {
      return unwrapKey(masterKeys, subject, Buffer.from(text ?? '', 'base64'), wrappedBy ?? '')
    } catch (error) {
      if (error instanceof StartupError) return error.message
      throw error
    }
  }

  /** Whether a key decrypts an event of its subject. */
  async function isInUse(subject: string, key: KeyObject): Promise<boolean> {
    const streams = subject.includes('/')
      ? [firstStreamOf(subject)]
      : streamsOfUser(parseUserId(subject))
    for (const stream of streams)
      for (const event of await store.readStream(stream))
        if (hasEncrypted(event) && decrypts(event, key)) return true
    return false
  }
}

const keyLine = z.object({ key: wrappedKey })

/** A row of app.personal_key in a backup. */
const keyTableStart = '{"table":"app.personal_key",'
const rowLine = z.object({
  row: z.object({
    subject: z.string(),
    /** PostgreSQL's text of bytes: `\x01ab`. */
    wrapped_key: z
      .string()
      .regex(/^\\x[0-9a-f]*$/)
      .nullable(),
    wrapped_by: z.string().nullable(),
    created_at: z.string(),
    erased_at: z.string().nullable(),
  }),
})

/** The keys of these subjects. The whole file is read first, so that its checksum holds. */
async function keysIn(
  file: string,
  subjects: { has(subject: string): boolean },
): Promise<ReadonlyMap<string, WrappedKey>> {
  const found = new Map<string, WrappedKey>()
  let keys = 0
  for await (const page of readChecksummed(file))
    for (const line of page) {
      const key = keyOf(file, line)
      if (key === null) continue
      keys += 1
      if (subjects.has(key.subject)) found.set(key.subject, key)
    }
  if (keys === 0)
    throw new StartupError(
      `${file} has no personal keys. Name the directory of a backup, or an export that 'events export --with-keys' wrote.`,
    )
  return found
}

function keyOf(file: string, line: string): WrappedKey | null {
  if (line.startsWith('{"key":')) return parseLine(file, keyLine, line).key
  if (!line.startsWith(keyTableStart)) return null
  const { row } = parseLine(file, rowLine, line)
  return {
    subject: row.subject,
    wrappedKey: row.wrapped_key && Buffer.from(row.wrapped_key.slice(2), 'hex').toString('base64'),
    wrappedBy: row.wrapped_by,
    createdAt: row.created_at,
    erasedAt: row.erased_at,
  }
}
