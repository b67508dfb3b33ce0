import type pg from 'pg'
import type { Clock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction } from '#services/postgres/transaction'
import type { EventStore } from '../event-store.ts'
import { sealKeysOf } from './audit-keys.ts'
import type { SealSource } from './check-seals.ts'
import { createMerkleTree } from './merkle-tree.ts'
import { hashOfSeal, leafOf, signSeal, type Seal, type StreamHead } from './seal.ts'
import { readSealedHeads, readSeals, writeSeal, writeSealedHeads } from './seal-table.ts'
import {
  isIntact,
  verifyLog,
  type OpenVerifiedLog,
  type VerifiedLog,
  type VerifyOptions,
} from './verify-log.ts'

export type SealingResult =
  | { readonly kind: 'sealed'; readonly seal: Seal; readonly seals: readonly Seal[] }
  /** The log or the seals have problems, and nothing was sealed. */
  | { readonly kind: 'refused'; readonly verified: VerifiedLog }

const pageSize = 10_000

/**
 * Verifies the whole log, the earlier seals and the published ones, then adds a seal to the
 * manifest in the database.
 * @throws StartupError if another process added a seal meanwhile
 */
export async function sealLog(
  store: EventStore,
  pool: pg.Pool,
  clock: Clock,
  {
    published = [],
    ...options
  }: Omit<VerifyOptions, 'seals' | 'sealedHeads'> & { readonly published?: readonly SealSource[] },
): Promise<SealingResult> {
  const seals = [{ name: 'the database', seals: await readSeals(pool) }, ...published]
  const sealedHeads = readSealedHeads(pool)
  return verifyLog(store, { ...options, seals, sealedHeads }, async (verified) => {
    if (!isIntact(verified)) return { kind: 'refused', verified }
    const log = await store.identity()
    const client = await pool.connect()
    try {
      const seal = await durableTransaction(client, (tx) =>
        addSeal(tx, verified, { log, clock, auditKey: options.auditKey }),
      )
      return { kind: 'sealed', seal, seals: [...verified.seals, seal] }
    } finally {
      client.release()
    }
  })
}

async function addSeal(
  tx: pg.PoolClient,
  { seals, events, position, heads }: OpenVerifiedLog,
  { log, clock, auditKey }: { log: string; clock: Clock; auditKey: Buffer },
): Promise<Seal> {
  await tx.query('LOCK TABLE app.seal IN SHARE ROW EXCLUSIVE MODE')
  if ((await readSeals(tx)).length !== seals.length)
    throw new StartupError(
      'Another process sealed the log meanwhile. Nothing was sealed: run the command again if you need another seal.',
    )
  const previous = seals.at(-1)
  const sequence = seals.length + 1
  const [all, changed] = [createMerkleTree(), createMerkleTree()]
  let page: StreamHead[] = []
  for await (const head of heads()) {
    all.add(leafOf(head))
    if (!head.isNew) continue
    changed.add(leafOf(head))
    page.push(head)
    if (page.length < pageSize) continue
    await writeSealedHeads(tx, sequence, page)
    page = []
  }
  await writeSealedHeads(tx, sequence, page)
  const sealed = signSeal(
    {
      sequence,
      sealedAt: clock.now().toISOString(),
      log,
      events,
      position,
      heads: { count: all.size, root: all.root() },
      changed: { count: changed.size, root: changed.root() },
      previousSeal: previous === undefined ? null : hashOfSeal(previous),
    },
    sealKeysOf(auditKey),
  )
  await writeSeal(tx, sealed)
  return sealed
}
