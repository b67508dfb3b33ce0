import type pg from 'pg'
import { z } from 'zod'
import { countByMasterKey } from '#services/event-store/encryption/key-table'
import { unwrapKey, wrapKey, type MasterKeys } from '#services/event-store/encryption/master-keys'
import { bytesColumn } from '#services/foundation/columns'
import { countOf, formatCount } from '#services/foundation/format-count'
import { allRows, firstRow } from '#services/foundation/rows'
import { sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { keysInUse } from '#services/keys/assert-known-keys'
import { hasMasterKey, masterKeyUsers, refuseUnprepared } from '#services/keys/key-users'
import { nameSome } from './name-some.ts'

export interface RotateMasterKeyOptions {
  readonly pool: pg.Pool
  readonly masterKeys: MasterKeys
  /** Called once, with the number of keys that are left under the previous MASTER_KEY. */
  readonly onStart?: (left: number) => void
  /** Called with the number of further wrapped keys. */
  readonly onKeys?: (count: number) => void
  /** Stops after the batch in progress. */
  readonly signal?: AbortSignal
  /** Keys per transaction. Default: 500. */
  readonly batch?: number
}

/**
 * 'rotated': no key is left under the previous MASTER_KEY; `keys` were wrapped by this run.
 * 'current': there was nothing to do.
 */
export interface RotatedMasterKey {
  readonly kind: 'rotated' | 'current'
  readonly keys: number
  /** All keys under MASTER_KEY. */
  readonly total: number
}

/** While another transaction holds the last rows. */
const waitMs = 50

/**
 * Wraps every personal key with MASTER_KEY instead of the previous one, while the product runs. The
 * personal keys stay the same, so the caches of running processes stay right.
 *
 * First MASTER_KEY becomes the key in use: from then on every process wraps new keys with it. Then
 * the other keys follow in batches. Each batch is one transaction that skips rows which an erasure
 * or another rotation holds. A killed run leaves keys of both, which the processes read; the next
 * run continues with the rest. The last statement proves that none is left.
 * @throws StartupError before the first change, if a key is neither of MASTER_KEY nor of the
 * previous one, or if a running process does not have MASTER_KEY and so would be cut off; or at the
 * end, if rows were changed and their keys cannot be unwrapped
 */
export async function rotateMasterKey({
  pool,
  masterKeys,
  onStart = () => undefined,
  onKeys = () => undefined,
  signal = new AbortController().signal,
  batch = 500,
}: RotateMasterKeyOptions): Promise<RotatedMasterKey> {
  const { isChanged, left } = await onConnectionOf(pool, durableTransaction, (tx) =>
    use(tx, masterKeys),
  )
  onStart(left)
  let keys = 0
  let after = ''
  const damaged = new Set<string>()
  for (;;) {
    signal.throwIfAborted()
    const { wrapped, unreadable, last } = await onConnectionOf(pool, durableTransaction, (tx) =>
      wrapBatch(tx, masterKeys, after, batch),
    )
    keys += wrapped
    onKeys(wrapped)
    for (const subject of unreadable) damaged.add(subject)
    // The next batch skips the index entries of the rows before.
    after = last ?? ''
    if (last !== null) continue
    const counts = await countByMasterKey(pool)
    refuseStrange(counts, masterKeys)
    const stillLeft = leftOf(counts, masterKeys)
    if (stillLeft > 0 && stillLeft <= damaged.size) throw ofDamaged(damaged)
    if (stillLeft === 0)
      return {
        kind: isChanged || keys > 0 ? 'rotated' : 'current',
        keys,
        total: counts.get(masterKeys.current.fingerprint) ?? 0,
      }
    // Another transaction holds the rows that are left.
    await sleep(waitMs, signal)
  }
}

/** Makes MASTER_KEY the key in use. Waits for the inserts of keys that are in progress. */
async function use(
  tx: pg.PoolClient,
  masterKeys: MasterKeys,
): Promise<{ readonly isChanged: boolean; readonly left: number }> {
  await tx.query("SELECT 1 FROM app.key_fingerprint WHERE name = 'MASTER_KEY' FOR UPDATE")
  const inUse = (await keysInUse(tx)).get('MASTER_KEY')
  const counts = await countByMasterKey(tx)
  const { current } = masterKeys
  refuseStrange(counts, masterKeys, ' Nothing was changed.')
  if (inUse !== undefined && !knows(masterKeys, inUse))
    throw new StartupError(
      `The MASTER_KEY in use has fingerprint ${inUse}, and ${described(masterKeys)}. Set MASTER_KEY_PREVIOUS to the key in use. Nothing was changed.`,
    )
  const isChanged = inUse !== undefined && inUse !== current.fingerprint
  if (isChanged) {
    await refuseUnprepared(tx, {
      name: 'MASTER_KEY',
      latter: current.fingerprint,
      users: masterKeyUsers,
      prepared: hasMasterKey(current.fingerprint),
    })
    await tx.query("UPDATE app.key_fingerprint SET fingerprint = $1 WHERE name = 'MASTER_KEY'", [
      current.fingerprint,
    ])
  }
  return { isChanged, left: leftOf(counts, masterKeys) }
}

function refuseStrange(
  counts: ReadonlyMap<string, number>,
  masterKeys: MasterKeys,
  outcome = '',
): void {
  const strange = [...counts].find(([fingerprint]) => !knows(masterKeys, fingerprint))
  if (strange === undefined) return
  const [fingerprint, count] = strange
  throw new StartupError(
    `${formatCount(count)} of the personal keys are wrapped by a MASTER_KEY of fingerprint ${fingerprint}, and ${described(masterKeys)}. Set MASTER_KEY_PREVIOUS to the key of fingerprint ${fingerprint}.${outcome}`,
  )
}

function knows({ all }: MasterKeys, fingerprint: string): boolean {
  return all.some((key) => key.fingerprint === fingerprint)
}

function described({ current, all }: MasterKeys): string {
  const [, previous] = all
  return previous === undefined
    ? `MASTER_KEY has fingerprint ${current.fingerprint} and MASTER_KEY_PREVIOUS is not set`
    : `MASTER_KEY has fingerprint ${current.fingerprint} and MASTER_KEY_PREVIOUS has fingerprint ${previous.fingerprint}`
}

function leftOf(counts: ReadonlyMap<string, number>, { current }: MasterKeys): number {
  return [...counts].reduce(
    (sum, [fingerprint, count]) => sum + (fingerprint === current.fingerprint ? 0 : count),
    0,
  )
}

function ofDamaged(damaged: ReadonlySet<string>): StartupError {
  return new StartupError(
    `MASTER_KEY is in use, but ${countOf(damaged.size, 'personal key')} cannot be unwrapped, because the row in app.personal_key was changed: ${nameSome(damaged)}. ` +
      'MASTER_KEY wraps all others. Restore the rows from a backup, then run the command again. Keep MASTER_KEY_PREVIOUS until then.',
  )
}

interface WrappedBatch {
  /** The number of keys that were wrapped. */
  readonly wrapped: number
  /** The subjects of the keys that cannot be unwrapped. Their rows stay as they are. */
  readonly unreadable: readonly string[]
  /**
   * The last subject of the batch. Null: none is left after the subject `after`, or other
   * transactions hold them.
   */
  readonly last: string | null
}

const nothingLeft: WrappedBatch = { wrapped: 0, unreadable: [], last: null }

const fingerprintRow = z.object({ fingerprint: z.string() })
const rowToWrap = z.object({ subject: z.string(), wrapped_key: bytesColumn })

async function wrapBatch(
  tx: pg.PoolClient,
  masterKeys: MasterKeys,
  after: string,
  batch: number,
): Promise<WrappedBatch> {
  const { current, all } = masterKeys
  const [, previous] = all
  if (previous === undefined) return nothingLeft
  // Of two rotations in opposite directions, the later one wins. The lock lets it wait for this
  // batch: otherwise it would not count the rows that this batch wraps.
  const inUse = await firstRow(
    tx,
    fingerprintRow,
    "SELECT fingerprint FROM app.key_fingerprint WHERE name = 'MASTER_KEY' FOR SHARE",
  )
  if (inUse !== undefined && inUse.fingerprint !== current.fingerprint)
    throw new StartupError(
      `Another rotation has put another MASTER_KEY in use than the one of fingerprint ${current.fingerprint}. Run 'billing keys status', and rotate with the settings of the product.`,
    )
  const rows = await allRows(
    tx,
    rowToWrap,
    `SELECT subject, wrapped_key FROM app.personal_key WHERE wrapped_by = $1 AND subject > $2
     ORDER BY subject LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [previous.fingerprint, after, batch],
  )
  const again: { readonly subject: string; readonly wrapped: Buffer }[] = []
  const unreadable: string[] = []
  for (const { subject, wrapped_key } of rows) {
    try {
      const key = unwrapKey(masterKeys, subject, wrapped_key, previous.fingerprint)
      again.push({ subject, wrapped: wrapKey(current, subject, key) })
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      unreadable.push(subject)
    }
  }
  if (again.length > 0)
    await tx.query(
      `UPDATE app.personal_key AS k SET wrapped_key = w.wrapped, wrapped_by = $3
       FROM unnest($1::text[], $2::bytea[]) AS w (subject, wrapped) WHERE k.subject = w.subject`,
      [
        again.map(({ subject }) => subject),
        again.map(({ wrapped }) => wrapped),
        current.fingerprint,
      ],
    )
  return { wrapped: again.length, unreadable, last: rows.at(-1)?.subject ?? null }
}
