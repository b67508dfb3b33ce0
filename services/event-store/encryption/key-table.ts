import { z } from 'zod'
import { bytesColumn, instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { isOfEvents } from '#services/foundation/stream-names'
import { OtherMasterKey } from '../errors.ts'
import { wrapKey, type MasterKeys } from './master-keys.ts'

/** A row of app.personal_key in an export or backup. The key stays wrapped by MASTER_KEY. */
export const wrappedKey = z.object({
  subject: z.string(),
  /** Base64; null once the person is erased. */
  wrappedKey: z.base64().nullable(),
  /** The fingerprint of the MASTER_KEY that wrapped the key; null once the person is erased. */
  wrappedBy: z.string().nullable(),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
  /** Only of an enquiry from before a change of EMAIL_HMAC_KEY: the HMAC under the key in use. */
  addressHmac: z.string().optional(),
})
export type WrappedKey = Readonly<z.infer<typeof wrappedKey>>

const keyRow = z.object({
  subject: z.string(),
  wrapped_key: bytesColumn.nullable(),
  wrapped_by: z.string().nullable(),
  created_at: instantColumn,
  erased_at: instantColumn.nullable(),
  address_hmac: z.string().nullable(),
})

/**
 * Every key of persons and enquiries, page by page, ordered by subject. A key that only waits for a
 * last mail decrypts no event.
 */
export async function* readKeys(
  pool: Queryable,
  pageSize = 5_000,
): AsyncGenerator<readonly WrappedKey[]> {
  for (let after = ''; ;) {
    const rows = await allRows(
      pool,
      keyRow,
      `SELECT subject, wrapped_key, wrapped_by, created_at, erased_at, address_hmac
       FROM app.personal_key LEFT JOIN app.enquiry_address USING (subject)
       WHERE subject > $1 AND ${isOfEvents} ORDER BY subject LIMIT $2`,
      [after, pageSize],
    )
    if (rows.length === 0) return
    yield rows.map((row) => ({
      subject: row.subject,
      wrappedKey: row.wrapped_key?.toString('base64') ?? null,
      wrappedBy: row.wrapped_by,
      createdAt: row.created_at,
      erasedAt: row.erased_at,
      ...(row.address_hmac === null ? {} : { addressHmac: row.address_hmac }),
    }))
    after = rows.at(-1)?.subject ?? ''
  }
}

/** @throws Error (23505) if a subject already has a row */
export async function restoreKeys(tx: Queryable, keys: readonly WrappedKey[]): Promise<void> {
  await tx.query(
    `INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by, created_at, erased_at)
     SELECT subject, decode(wrapped_key, 'base64'), wrapped_by, created_at, erased_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS k (subject, wrapped_key, wrapped_by, created_at, erased_at)`,
    [
      keys.map((k) => k.subject),
      keys.map((k) => k.wrappedKey),
      keys.map((k) => k.wrappedBy),
      keys.map((k) => k.createdAt),
      keys.map((k) => k.erasedAt),
    ],
  )
  await setEnquiryAddresses(
    tx,
    keys.flatMap(({ subject, addressHmac }) =>
      addressHmac === undefined ? [] : [{ subject, addressHmac }],
    ),
  )
}

/** Stores HMACs of the addresses of enquiries. `PersonalKeys.enquiriesWith` finds them by these. */
export async function setEnquiryAddresses(
  db: Queryable,
  enquiries: readonly {
    readonly subject: string
    readonly addressHmac: string
  }[],
): Promise<void> {
  if (enquiries.length === 0) return
  await db.query(
    `INSERT INTO app.enquiry_address (subject, address_hmac)
     SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (subject) DO UPDATE SET address_hmac = excluded.address_hmac`,
    [enquiries.map(({ subject }) => subject), enquiries.map(({ addressHmac }) => addressHmac)],
  )
}

/** The subjects that have a key and follow `after`, in order: users and enquiries. */
export async function readableSubjects(
  db: Queryable,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await allRows(
    db,
    z.object({ subject: z.string() }),
    `SELECT subject FROM app.personal_key WHERE subject > $1 AND wrapped_key IS NOT NULL AND ${isOfEvents}
     ORDER BY subject LIMIT $2`,
    [after, limit],
  )
  return rows.map(({ subject }) => subject)
}

/*
 * Inserts the wrapping of the key in use. The lock lets a rotation wait for this insert, or this
 * insert for the rotation: after the rotation has changed the key in use, no key is wrapped by the
 * former one. The first wrapping is that of MASTER_KEY. In the order of the subjects: two inserts
 * of the same subjects never wait for each other.
 */
const insertUnderKeyInUse = `INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by)
  SELECT subject, wrapped, by FROM unnest($1::text[], $2::bytea[], $3::text[]) AS k (subject, wrapped, by)
  WHERE by = coalesce((SELECT fingerprint FROM app.key_fingerprint WHERE name = 'MASTER_KEY' FOR SHARE), ($3::text[])[1])
  ORDER BY subject ON CONFLICT`

/**
 * Inserts the keys of subjects, wrapped by the MASTER_KEY in use. Leaves out a subject that has a
 * row. Inserts nothing if the MASTER_KEY in use is not among `masterKeys`.
 */
export async function insertKeys(
  db: Queryable,
  masterKeys: MasterKeys,
  keys: ReadonlyMap<string, Buffer>,
): Promise<void> {
  await db.query(`${insertUnderKeyInUse} DO NOTHING`, wrappings(masterKeys, keys))
}

/**
 * Puts a key in the place of one that was lost. The caller knows that the subject is not erased.
 * @throws OtherMasterKey if the MASTER_KEY in use is not among `masterKeys`
 */
export async function replaceKey(
  db: Queryable,
  masterKeys: MasterKeys,
  subject: string,
  key: Buffer,
): Promise<void> {
  const { rows } = await db.query(
    `${insertUnderKeyInUse} (subject) DO UPDATE
       SET wrapped_key = excluded.wrapped_key, wrapped_by = excluded.wrapped_by, erased_at = NULL RETURNING 1`,
    wrappings(masterKeys, new Map([[subject, key]])),
  )
  if (rows.length === 0)
    throw new OtherMasterKey(
      "The MASTER_KEY that is set is not the one in use. Run 'billing keys status', and set MASTER_KEY to the key in use.",
    )
}

function wrappings({ all }: MasterKeys, keys: ReadonlyMap<string, Buffer>) {
  const each = [...keys].flatMap(([subject, key]) =>
    all.map((master) => ({ subject, master, wrapped: wrapKey(master, subject, key) })),
  )
  return [
    each.map(({ subject }) => subject),
    each.map(({ wrapped }) => wrapped),
    each.map(({ master }) => master.fingerprint),
  ]
}

/**
 * In place of the key of a subject that an import left out. MASTER_KEY wraps it like a key, so that
 * a destroyed key cannot be made to look as if it was left out without MASTER_KEY.
 */
export const leftOutKey: Buffer = Buffer.alloc(32)

/**
 * Records that the export had no keys of these subjects. With a new key, decryption of their
 * earlier events would fail. Their personal fields read as '[erased]', and they get no key.
 */
export async function markLeftOut(
  tx: Queryable,
  { current }: MasterKeys,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(
    `INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by)
     SELECT subject, wrapped, $3 FROM unnest($1::text[], $2::bytea[]) AS s (subject, wrapped) ON CONFLICT DO NOTHING`,
    [
      subjects,
      subjects.map((subject) => wrapKey(current, subject, leftOutKey)),
      current.fingerprint,
    ],
  )
}

const countRow = z.object({ wrapped_by: z.string(), count: integerColumn })

/** The number of keys that each MASTER_KEY has wrapped, by its fingerprint. */
export async function countByMasterKey(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await allRows(
    db,
    countRow,
    'SELECT wrapped_by, count(*) FROM app.personal_key WHERE wrapped_by IS NOT NULL GROUP BY wrapped_by ORDER BY wrapped_by',
  )
  return new Map(rows.map(({ wrapped_by, count }) => [wrapped_by, count]))
}

/**
 * The keys that none of these MASTER_KEYs has wrapped: their number, and the fingerprint of a
 * MASTER_KEY that wrapped some of them. Null if there are none. The conditions are ranges, so that
 * the index answers without a look at the other keys.
 */
export async function keysOfOthers(
  db: Queryable,
  [one, two = one]: readonly [string, string?],
): Promise<{ readonly wrappedBy: string; readonly count: number } | null> {
  const other = await firstRow(
    db,
    countRow,
    `SELECT min(wrapped_by) AS wrapped_by, count(*) FROM app.personal_key
     WHERE wrapped_by < least($1, $2 COLLATE "C") OR wrapped_by > greatest($1, $2 COLLATE "C")
       OR (wrapped_by > least($1, $2 COLLATE "C") AND wrapped_by < greatest($1, $2 COLLATE "C"))
     HAVING count(*) > 0`,
    [one, two],
  )
  return other === undefined ? null : { wrappedBy: other.wrapped_by, count: other.count }
}
