import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { bytesColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { orUnavailable } from '../database-unavailable.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

export interface PersonalKeys {
  /**
   * The key that encrypts the personal fields of `subject`. Creates the key if there is none. Null
   * if the subject is erased.
   */
  forWriting(subject: string): Promise<KeyObject | null>
  /**
   * The keys of all these subjects, by one query. The result leaves out subjects that have no key
   * or are erased.
   */
  forReading(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, KeyObject>>
  /** Every subject that begins with `prefix` and has or had a key, in order. */
  subjectsWith(prefix: string): Promise<readonly string[]>
  /**
   * Destroys the key permanently. An erased subject never gets a new key, even if it had none
   * before.
   */
  erase(subject: string): Promise<void>
}

const subjectRow = z.object({ subject: z.string() })
const keyRow = subjectRow.extend({ wrapped_key: bytesColumn.nullable() })

/** About 40 MB. A replay of the log needs the same keys many times. */
const cachedKeys = 50_000
/** How long this process may use a key after another process erased it. */
const cacheMilliseconds = 10_000
/** The cached value of an erased subject. The cache cannot hold null. */
const erased = 'erased'

/**
 * Personal keys, stored in app.personal_key. MASTER_KEY (32 bytes) wraps each key, bound to its
 * subject. The table alone therefore decrypts nothing, and a key cannot be moved to another person.
 */
export function createPersonalKeys(
  pool: Queryable,
  masterKey: Buffer,
  cacheFor = cacheMilliseconds,
): PersonalKeys {
  if (masterKey.length !== 32)
    throw new Error(
      `MASTER_KEY has ${masterKey.length} bytes; it needs 32. Set another MASTER_KEY.`,
    )
  const master = createSecretKey(masterKey)
  const cache = new LRUCache<string, KeyObject | typeof erased>({ max: cachedKeys, ttl: cacheFor })

  /** Null stands for an erased subject. A subject without a row is not in the result. */
  async function find(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyObject | null>> {
    const rows = await orUnavailable(() =>
      allRows(
        pool,
        keyRow,
        'SELECT subject, wrapped_key FROM app.personal_key WHERE subject = ANY ($1)',
        [subjects],
      ),
    )
    const found = new Map(
      rows.map(({ subject, wrapped_key }) => [
        subject,
        wrapped_key && unwrap(master, subject, wrapped_key),
      ]),
    )
    for (const [subject, key] of found) cache.set(subject, key ?? erased)
    return found
  }

  async function create(subject: string) {
    // If several processes create the key at once, one insert wins and all read the same key.
    const wrapped = wrapKey(master, subject, randomBytes(32))
    await orUnavailable(() =>
      pool.query(
        'INSERT INTO app.personal_key (subject, wrapped_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [subject, wrapped],
      ),
    )
    return (await find([subject])).get(subject) ?? null
  }

  return {
    async forWriting(subject) {
      const cached = cache.get(subject)
      if (cached !== undefined) return cached === erased ? null : cached
      const known = (await find([subject])).get(subject)
      return known === undefined ? create(subject) : known
    },

    async forReading(subjects) {
      const keys = new Map([...subjects].map((subject) => [subject, cache.get(subject)]))
      const unknown = [...subjects].filter((subject) => keys.get(subject) === undefined)
      if (unknown.length > 0)
        for (const [subject, key] of await find(unknown)) keys.set(subject, key ?? erased)
      return new Map(
        [...keys].filter((entry): entry is [string, KeyObject] => entry[1] instanceof KeyObject),
      )
    },

    async subjectsWith(prefix) {
      const rows = await orUnavailable(() =>
        allRows(
          pool,
          subjectRow,
          'SELECT subject FROM app.personal_key WHERE starts_with(subject, $1) ORDER BY subject',
          [prefix],
        ),
      )
      return rows.map(({ subject }) => subject)
    },

    async erase(subject) {
      await orUnavailable(() =>
        pool.query(
          `INSERT INTO app.personal_key AS k (subject, wrapped_key, erased_at) VALUES ($1, NULL, now())
           ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, erased_at = coalesce(k.erased_at, now())`,
          [subject],
        ),
      )
      cache.set(subject, erased)
    },
  }
}

// The first byte of a wrapped key is the version of its format.
const wrapping = 1

/** The form in which app.personal_key stores the key of `subject`. */
export function wrapKey(master: KeyObject, subject: string, key: Buffer): Buffer {
  return Buffer.concat([Buffer.of(wrapping), encrypt(master, key, subject)])
}

function unwrap(master: KeyObject, subject: string, wrapped: Buffer): KeyObject {
  try {
    if (wrapped[0] !== wrapping) throw new Error(`its wrapping has version ${wrapped[0]}`)
    return createSecretKey(decrypt(master, wrapped.subarray(1), subject))
  } catch (cause) {
    throw new Error(
      `The key of '${subject}' cannot be unwrapped: it was wrapped with another MASTER_KEY, or app.personal_key was changed. Set the MASTER_KEY that wrapped the key.`,
      { cause },
    )
  }
}
