import { randomBytes, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AddressHmac, UserId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { inParallel } from '#services/foundation/in-parallel'
import type { Queryable } from '#services/foundation/queryable'
import { orUnavailable } from '../database-unavailable.ts'
import { OtherMasterKey, PersonalKeyMissing } from '../errors.ts'
import { invalidationText, streamCacheChannel } from '../stream-cache-invalidations.ts'
import { createKeyStates, parallelLooks, removedKey, type KeyState } from './key-states.ts'
import { insertKeys } from './key-table.ts'
import { masterKeysOf } from './master-keys.ts'
import type { SubjectLog } from './subject-log.ts'
import { clientsWith, enquiriesWith } from './subjects-with-keys.ts'

export interface PersonalKeys {
  /**
   * The key that encrypts the personal fields of `subject`. Creates the key before the first event
   * of the subject. Null if the subject is erased.
   * @throws PersonalKeyMissing if the log has events of the subject, no erasure, and no key
   */
  forWriting(subject: string): Promise<KeyObject | null>
  /**
   * Creates the keys of these subjects as `forWriting` does, by few statements for all of them.
   * @throws PersonalKeyMissing as `forWriting`. No key is then created.
   */
  createAll(subjects: readonly string[]): Promise<void>
  /**
   * The keys of all these subjects, by one query. The result leaves out subjects whose key is
   * missing.
   * @throws OtherMasterKey
   */
  forReading(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, KeyForReading>>
  /** As `forReading`, without the cache, and with the reason why a key cannot be read. */
  statesOf(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, KeyState>>
  /**
   * The subject of every enquiry of an address that has or had a key, in order. `addresses` are the
   * HMACs of the address under the keys that are set. A rotation of EMAIL_HMAC_KEY stores the HMAC
   * under the new key for the enquiries of before.
   */
  enquiriesWith(addresses: readonly AddressHmac[]): Promise<readonly string[]>
  /** The subject of every client of a merchant that has or had a key, in order. */
  clientsWith(merchantId: UserId): Promise<readonly string[]>
  /**
   * Destroys the key permanently. An erased subject never gets a new key, even if it had none
   * before. Notifies the other processes (`stream-cache-invalidations.ts`).
   */
  erase(subject: string): Promise<void>
  /** Reads the key of the subject from the database at its next use: another process erased it. */
  forget(subject: string): void
}

/** `erasedSubject`: the personal fields of the subject read as '[erased]'. */
export type KeyForReading = KeyObject | typeof erasedSubject
export const erasedSubject = 'erased'

/** About 40 MB. A replay of the log needs the same keys many times. */
const cachedKeys = 50_000
/** How long this process may use a key after another process erased it. */
const cacheMilliseconds = 10_000

export interface PersonalKeyOptions {
  /** MASTER_KEY_PREVIOUS: unwraps, too. Null or absent: only MASTER_KEY unwraps. */
  readonly previousMasterKey?: Buffer | null
  /** In milliseconds. Default: 10,000. */
  readonly cacheFor?: number
  /**
   * Says whether a subject was erased. Without it, the row of a destroyed key counts as an erasure:
   * for a database without a log.
   */
  readonly subjects?: SubjectLog | null
  /** Called after this process erased the subject. */
  readonly onErased?: (subject: string) => void
}

/**
 * Personal keys, stored in app.personal_key. MASTER_KEY (32 bytes) wraps each key, bound to its
 * subject. The table alone therefore decrypts nothing, and a key cannot be moved to another person.
 *
 * The row of MASTER_KEY in app.key_fingerprint decides which of two keys wraps a new personal key,
 * so that processes that start one after the other agree. Before the first start there is no row,
 * and `masterKey` wraps.
 */
export function createPersonalKeys(
  pool: Queryable,
  masterKey: Buffer,
  {
    previousMasterKey = null,
    cacheFor = cacheMilliseconds,
    subjects = null,
    onErased = () => undefined,
  }: PersonalKeyOptions = {},
): PersonalKeys {
  const masterKeys = masterKeysOf(masterKey, previousMasterKey)
  const cache = new LRUCache<string, KeyForReading>({ max: cachedKeys, ttl: cacheFor })
  const findStates = createKeyStates({ pool, masterKeys, subjects })

  /** Undefined for a subject without a row. Null for one whose key is missing. */
  async function find(wanted: readonly string[]) {
    const found = new Map<string, KeyForReading | null>()
    for (const [subject, state] of await findStates(wanted)) {
      const key = keyOf(state)
      found.set(subject, key)
      if (key !== null) cache.set(subject, key)
    }
    return found
  }

  /** Of subjects without a row. */
  async function create(wanted: readonly string[]): Promise<ReadonlyMap<string, KeyForReading>> {
    await inParallel(parallelLooks, wanted, async (subject) => {
      // A new key beside events of a lost one would hide the loss.
      if (subjects !== null && (await subjects.stateOf(subject)) !== 'no-events')
        throw new PersonalKeyMissing(subject)
    })
    // If several processes create a key at once, one insert wins and all read the same key.
    const keys = new Map(wanted.map((subject) => [subject, randomBytes(32)]))
    await orUnavailable(() => insertKeys(pool, masterKeys, keys))
    const found = await find(wanted)
    if (found.size < keys.size)
      throw new OtherMasterKey(
        'No personal key was made, because MASTER_KEY was changed in this database and this process has only the former one. Set MASTER_KEY to the new key and restart the process.',
      )
    return withoutMissing(found)
  }

  async function findOrCreate(
    wanted: readonly string[],
  ): Promise<ReadonlyMap<string, KeyForReading>> {
    const known = withoutMissing(await find(wanted))
    const fresh = wanted.filter((subject) => !known.has(subject))
    return fresh.length === 0 ? known : new Map([...known, ...(await create(fresh))])
  }

  return {
    async forWriting(subject) {
      const key = cache.get(subject) ?? (await findOrCreate([subject])).get(subject)
      if (key === undefined) throw new PersonalKeyMissing(subject)
      return key === erasedSubject ? null : key
    },

    async createAll(all) {
      const wanted = [...new Set(all)].filter((subject) => cache.get(subject) === undefined)
      if (wanted.length > 0) await findOrCreate(wanted)
    },

    async forReading(wanted) {
      const keys = new Map<string, KeyForReading>()
      const unknown: string[] = []
      for (const subject of wanted) {
        const cached = cache.get(subject)
        if (cached === undefined) unknown.push(subject)
        else keys.set(subject, cached)
      }
      if (unknown.length > 0)
        for (const [subject, key] of await find(unknown)) if (key !== null) keys.set(subject, key)
      return keys
    },

    async statesOf(wanted) {
      const states = await findStates([...wanted])
      return new Map([...wanted].map((subject) => [subject, states.get(subject) ?? removedKey]))
    },

    enquiriesWith: (addresses) => enquiriesWith(pool, addresses),
    clientsWith: (merchantId) => clientsWith(pool, merchantId),

    async erase(subject) {
      await orUnavailable(() =>
        pool.query(
          `WITH erased AS (
             INSERT INTO app.personal_key AS k (subject, wrapped_key, erased_at) VALUES ($1, NULL, now())
             ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, wrapped_by = NULL, erased_at = coalesce(k.erased_at, now())
             RETURNING 1)
           SELECT pg_notify($2, $3) FROM erased`,
          [subject, streamCacheChannel, invalidationText({ kind: 'erased', subject })],
        ),
      )
      cache.set(subject, erasedSubject)
      onErased(subject)
    },

    forget: (subject) => void cache.delete(subject),
  }
}

/** @throws PersonalKeyMissing */
function withoutMissing(
  found: ReadonlyMap<string, KeyForReading | null>,
): ReadonlyMap<string, KeyForReading> {
  const keys = new Map<string, KeyForReading>()
  for (const [subject, key] of found) {
    if (key === null) throw new PersonalKeyMissing(subject)
    keys.set(subject, key)
  }
  return keys
}

/** Null if the key is missing. @throws OtherMasterKey */
function keyOf(state: KeyState): KeyForReading | null {
  switch (state.kind) {
    case 'readable':
      return state.key
    case 'erased':
    case 'left-out':
      return erasedSubject
    case 'missing':
      if (state.otherMasterKey !== null) throw state.otherMasterKey
      return null
    default:
      return unreachable(state)
  }
}

/**
 * Keys for the erasure of a subject whose key is lost for good: fields without a key read as
 * '[erased]'. Only the operator knows that no backup has the key.
 */
export function withLostKeys(keys: PersonalKeys): PersonalKeys {
  return {
    ...keys,
    async forReading(wanted) {
      const found = new Map(await keys.forReading(wanted))
      for (const subject of wanted) if (!found.has(subject)) found.set(subject, erasedSubject)
      return found
    },
    forWriting: (subject) =>
      keys.forWriting(subject).catch((error: unknown) => {
        if (error instanceof PersonalKeyMissing) return null
        throw error
      }),
  }
}
