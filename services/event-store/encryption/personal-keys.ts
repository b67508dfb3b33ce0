import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AddressHmac } from '#contracts/ids'
import { bytesColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { enquirySubjects } from '#services/foundation/stream-names'
import { orUnavailable } from '../database-unavailable.ts'
import { OtherMasterKey } from '../errors.ts'
import { masterKeysOf, unwrapKey, wrapKey } from './master-keys.ts'

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
  /**
   * The subject of every enquiry of an address that has or had a key, in order. `addresses` are the
   * HMACs of the address under the keys that are set. A rotation of EMAIL_HMAC_KEY stores the HMAC
   * under the new key for the enquiries of before.
   */
  enquiriesWith(addresses: readonly AddressHmac[]): Promise<readonly string[]>
  /**
   * Destroys the key permanently. An erased subject never gets a new key, even if it had none
   * before.
   */
  erase(subject: string): Promise<void>
}

const subjectRow = z.object({ subject: z.string() })
const keyRow = subjectRow.extend({
  wrapped_key: bytesColumn.nullable(),
  wrapped_by: z.string().nullable(),
})

/** About 40 MB. A replay of the log needs the same keys many times. */
const cachedKeys = 50_000
/** How long this process may use a key after another process erased it. */
const cacheMilliseconds = 10_000
/*
 * Inserts the wrapping of the key in use. The lock lets a rotation wait for this insert, or this
 * insert for the rotation: after the rotation has changed the key in use, no key is wrapped by the
 * former one. The first wrapping is that of MASTER_KEY.
 */
const insertUnderKeyInUse = `INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by)
  SELECT $1, wrapped, by FROM unnest($2::bytea[], $3::text[]) AS k (wrapped, by)
  WHERE by = coalesce((SELECT fingerprint FROM app.key_fingerprint WHERE name = 'MASTER_KEY' FOR SHARE), ($3::text[])[1])
  ON CONFLICT DO NOTHING`

/** The cached value of an erased subject. The cache cannot hold null. */
const erased = 'erased'

export interface PersonalKeyOptions {
  /** MASTER_KEY_PREVIOUS: unwraps, too. Null or absent: only MASTER_KEY unwraps. */
  readonly previousMasterKey?: Buffer | null
  /** In milliseconds. Default: 10,000. */
  readonly cacheFor?: number
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
  { previousMasterKey = null, cacheFor = cacheMilliseconds }: PersonalKeyOptions = {},
): PersonalKeys {
  const masterKeys = masterKeysOf(masterKey, previousMasterKey)
  const cache = new LRUCache<string, KeyObject | typeof erased>({ max: cachedKeys, ttl: cacheFor })

  /** Null stands for an erased subject. A subject without a row is not in the result. */
  async function find(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyObject | null>> {
    const rows = await orUnavailable(() =>
      allRows(
        pool,
        keyRow,
        'SELECT subject, wrapped_key, wrapped_by FROM app.personal_key WHERE subject = ANY ($1)',
        [subjects],
      ),
    )
    const found = new Map(
      rows.map(({ subject, wrapped_key: wrapped, wrapped_by: by }) => [
        subject,
        wrapped && createSecretKey(unwrapKey(masterKeys, subject, wrapped, by ?? '')),
      ]),
    )
    for (const [subject, key] of found) cache.set(subject, key ?? erased)
    return found
  }

  async function create(subject: string) {
    // If several processes create the key at once, one insert wins and all read the same key.
    const key = randomBytes(32)
    await orUnavailable(() =>
      pool.query(insertUnderKeyInUse, [
        subject,
        masterKeys.all.map((master) => wrapKey(master, subject, key)),
        masterKeys.all.map(({ fingerprint }) => fingerprint),
      ]),
    )
    const made = (await find([subject])).get(subject)
    if (made === undefined)
      throw new OtherMasterKey(
        'No personal key was made, because MASTER_KEY was changed in this database and this process has only the former one. Set MASTER_KEY to the new key and restart the process.',
      )
    return made
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

    async enquiriesWith(addresses) {
      const found = new Set<string>()
      for (const address of addresses) {
        const rows = await orUnavailable(() =>
          allRows(
            pool,
            subjectRow,
            `SELECT subject FROM app.personal_key WHERE starts_with(subject, $1)
             UNION SELECT subject FROM app.enquiry_address WHERE address_hmac = $2`,
            [enquirySubjects(address), address],
          ),
        )
        for (const { subject } of rows) found.add(subject)
      }
      return [...found].sort()
    },

    async erase(subject) {
      await orUnavailable(() =>
        pool.query(
          `INSERT INTO app.personal_key AS k (subject, wrapped_key, erased_at) VALUES ($1, NULL, now())
           ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, wrapped_by = NULL, erased_at = coalesce(k.erased_at, now())`,
          [subject],
        ),
      )
      cache.set(subject, erased)
    },
  }
}
