import type pg from 'pg'
import { readSealedHeads, readSeals } from '#services/event-store/audit/seal-table'
import { sealLog } from '#services/event-store/audit/seal-log'
import type { Seal } from '#services/event-store/audit/seal'
import { verifyLog, type VerifiedLog } from '#services/event-store/audit/verify-log'
import type { EventStore } from '#services/event-store/event-store'
import { systemClock } from '#services/foundation/clock'
import { auditKey } from './mac-key.ts'

interface Options {
  readonly key?: Buffer
  /** Seals of a published manifest. */
  readonly published?: readonly Seal[]
}

/** Verifies a log and the seals of its database, as `billing events verify` does. */
export async function verifyStored(
  store: EventStore,
  pool: pg.Pool | null,
  { key = auditKey, published }: Options = {},
): Promise<VerifiedLog> {
  const seals = [
    { name: 'the database', seals: pool === null ? [] : await readSeals(pool) },
    ...(published === undefined
      ? []
      : [
          {
            name: 'the manifest',
            seals: published.map((seal) => ({ sequence: seal.sequence, seal })),
          },
        ]),
  ]
  const sealedHeads = pool === null ? none() : readSealedHeads(pool)
  return verifyLog(
    store,
    // So small a memory writes temporary files.
    { seals, sealedHeads, auditKey: key, capacity: 2 },
    async (verified) => verified,
  )
}

/** Seals a log. @throws Error if the log has problems */
export async function sealStored(store: EventStore, pool: pg.Pool): Promise<Seal> {
  const result = await sealLog(store, pool, systemClock, { auditKey })
  if (result.kind === 'refused') throw new Error('nothing was sealed')
  return result.seal
}

async function* none(): AsyncGenerator<never> {
  // No heads are sealed.
}
