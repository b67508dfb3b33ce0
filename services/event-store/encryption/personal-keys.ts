import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { orUnavailable } from '../postgres/unavailable.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { createExpiringMap } from './expiring-map.ts'

export interface PersonalKeys {
  /** The key that encrypts what we learn about `subject`, made when there is none; null once the subject is erased. */
  forWriting(subject: string): Promise<KeyObject | null>
  /** The keys of all these subjects in one query. A subject that has none, or is erased, is not in the answer. */
  forReading(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, KeyObject>>
  /** Destroys the key, for good: a subject that is erased, even one that never had a key, gets no new one. */
  erase(subject: string): Promise<void>
}

interface KeyRow {
  readonly subject: string
  readonly wrapped_key: Buffer | null
}

/** About 40 MB. Whoever replays the log meets the same persons again and again. */
const cachedKeys = 50_000
/** How long a key that another process erased may still be used in this one. */
const cacheMilliseconds = 10_000

/**
 * The persons' keys, in app.personal_key. Each is wrapped by MASTER_KEY (32 bytes) for its subject,
 * so that the table alone opens nothing and no key serves another person.
 */
export function createPersonalKeys(
  pool: Pick<Pool, 'query'>,
  masterKey: Buffer,
  cacheFor = cacheMilliseconds,
): PersonalKeys {
  if (masterKey.length !== 32)
    throw new Error(`MASTER_KEY has ${masterKey.length} bytes; it needs 32.`)
  const master = createSecretKey(masterKey)
  const cache = createExpiringMap<string, KeyObject | null>(cachedKeys, cacheFor)

  /** null is an erased subject; one that has no row is not in the answer. */
  async function find(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyObject | null>> {
    const { rows } = await orUnavailable(() =>
      pool.query<KeyRow>(
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
    for (const [subject, key] of found) cache.set(subject, key)
    return found
  }

  async function create(subject: string) {
    // Of several processes at once, one makes the key and all find it.
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
      const known = cached === undefined ? (await find([subject])).get(subject) : cached
      return known === undefined ? create(subject) : known
    },

    async forReading(subjects) {
      const keys = new Map([...subjects].map((subject) => [subject, cache.get(subject)]))
      const unknown = [...subjects].filter((subject) => keys.get(subject) === undefined)
      if (unknown.length > 0)
        for (const [subject, key] of await find(unknown)) keys.set(subject, key)
      return new Map(
        [...keys].filter((entry): entry is [string, KeyObject] => entry[1] instanceof KeyObject),
      )
    },

    async erase(subject) {
      await orUnavailable(() =>
        pool.query(
          `INSERT INTO app.personal_key AS k (subject, wrapped_key, erased_at) VALUES ($1, NULL, now())
           ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, erased_at = coalesce(k.erased_at, now())`,
          [subject],
        ),
      )
      cache.set(subject, null)
    },
  }
}

// The first byte is the version of the wrapping.
const wrapping = 1

/** As app.personal_key keeps the key of `subject`. */
export function wrapKey(master: KeyObject, subject: string, key: Buffer): Buffer {
  return Buffer.concat([Buffer.of(wrapping), encrypt(master, key, subject)])
}

function unwrap(master: KeyObject, subject: string, wrapped: Buffer): KeyObject {
  try {
    if (wrapped[0] !== wrapping) throw new Error(`its wrapping has version ${wrapped[0]}`)
    return createSecretKey(decrypt(master, wrapped.subarray(1), subject))
  } catch (cause) {
    throw new Error(
      `The key of '${subject}' cannot be unwrapped: MASTER_KEY is not the one that it was wrapped with, or app.personal_key was changed.`,
      { cause },
    )
  }
}
