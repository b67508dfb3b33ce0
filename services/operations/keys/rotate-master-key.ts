import type pg from 'pg'
import { z } from 'zod'
import { countByMasterKey } from '#services/event-store/encryption/key-table'
import { unwrapKey, wrapKey, type MasterKeys } from '#services/event-store/encryption/master-keys'
import { bytesColumn } from '#services/foundation/columns'
import { formatCount } from '#services/foundation/format-count'
import { allRows } from '#services/foundation/rows'
import { sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { keysInUse } from '#services/start/assert-known-keys'

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
 * previous one; or at a key that cannot be unwrapped
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
  for (;;) {
    signal.throwIfAborted()
    const wrapped = await onConnectionOf(pool, durableTransaction, (tx) =>
      wrapBatch(tx, masterKeys, after, batch),
    )
    keys += wrapped.length
    onKeys(wrapped.length)
    // The next batch skips the index entries of the rows before.
    after = wrapped.at(-1) ?? ''
    if (wrapped.length > 0) continue
    const counts = await countByMasterKey(pool)
    refuseStrange(counts, masterKeys)
    if (leftOf(counts, masterKeys) === 0)
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
  refuseStrange(counts, masterKeys)
  if (inUse !== undefined && !knows(masterKeys, inUse))
    throw new StartupError(
      `The MASTER_KEY in use has fingerprint ${inUse}, and ${described(masterKeys)}. Set MASTER_KEY_PREVIOUS to the key in use. Nothing was changed.`,
    )
  const isChanged = inUse !== undefined && inUse !== current.fingerprint
  if (isChanged)
    await tx.query("UPDATE app.key_fingerprint SET fingerprint = $1 WHERE name = 'MASTER_KEY'", [
      current.fingerprint,
    ])
  return { isChanged, left: leftOf(counts, masterKeys) }
}

function refuseStrange(counts: ReadonlyMap<string, number>, masterKeys: MasterKeys): void {
  const strange = [...counts].find(([fingerprint]) => !knows(masterKeys, fingerprint))
  if (strange === undefined) return
  const [fingerprint, count] = strange
  throw new StartupError(
    `${formatCount(count)} of the personal keys are wrapped by a MASTER_KEY of fingerprint ${fingerprint}, and ${described(masterKeys)}. Set MASTER_KEY_PREVIOUS to the key of fingerprint ${fingerprint}. Nothing was changed.`,
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

const rowToWrap = z.object({ subject: z.string(), wrapped_key: bytesColumn })

/**
 * Returns the subjects of the keys that were wrapped, in order. Empty: none is left after the
 * subject `after`, or other transactions hold them.
 */
async function wrapBatch(
  tx: pg.PoolClient,
  masterKeys: MasterKeys,
  after: string,
  batch: number,
): Promise<readonly string[]> {
  const { current, all } = masterKeys
  const [, previous] = all
  if (previous === undefined) return []
  // Of two rotations in opposite directions, the later one wins.
  const { rows: inUse } = await tx.query(
    "SELECT 1 FROM app.key_fingerprint WHERE name = 'MASTER_KEY' AND fingerprint <> $1 FOR SHARE",
    [current.fingerprint],
  )
  if (inUse.length > 0)
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
  if (rows.length === 0) return []
  await tx.query(
    `UPDATE app.personal_key AS k SET wrapped_key = w.wrapped, wrapped_by = $3
     FROM unnest($1::text[], $2::bytea[]) AS w (subject, wrapped) WHERE k.subject = w.subject`,
    [
      rows.map(({ subject }) => subject),
      rows.map(({ subject, wrapped_key }) =>
        wrapKey(
          current,
          subject,
          unwrapKey(masterKeys, subject, wrapped_key, previous.fingerprint),
        ),
      ),
      current.fingerprint,
    ],
  )
  return rows.map(({ subject }) => subject)
}
