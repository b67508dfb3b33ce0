import type pg from 'pg'
import type { Instant } from '#contracts/instant'
import type { SealSource } from '#services/event-store/audit/check-seals'
import { sealLog, type SealingResult } from '#services/event-store/audit/seal-log'
import { readSealedHeads, readSeals } from '#services/event-store/audit/seal-table'
import {
  verifyLog,
  type LogCheck,
  type VerifiedLog,
  type VerifyOptions,
} from '#services/event-store/audit/verify-log'
import type { EventStore } from '#services/event-store/event-store'
import { monthOf } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { createCloseCheck } from '../closing/close-check.ts'
import type { CloseLog } from '../closing/closes.ts'

export interface IntegrityParts {
  readonly store: EventStore
  /** A codec without personal keys. */
  readonly codec: CloseLog['codec']
  readonly pool: pg.Pool
  readonly auditKey: Buffer
  readonly timeZone: TimeZone
  /** The business clock's time. */
  readonly now: Instant
  /** The published seals, apart from those in the database. */
  readonly published: readonly SealSource[]
}

export type Observed = Pick<VerifyOptions, 'onEvents' | 'onRead' | 'onStreams' | 'signal'>

/**
 * Verifies everything that the product can prove about its log: the chains, the MACs, the seals of
 * the database and the published ones, and every closed month. Changes nothing.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function verifyIntegrity(
  parts: IntegrityParts,
  observed: Observed = {},
): Promise<VerifiedLog> {
  const { store, pool, auditKey, published } = parts
  const seals = [{ name: 'the database', seals: await readSeals(pool) }, ...published]
  const sealedHeads = readSealedHeads(pool)
  const checks = await checksOf(parts)
  return verifyLog(store, { ...observed, seals, sealedHeads, auditKey, checks }, (verified) =>
    Promise.resolve(verified),
  )
}

/**
 * Verifies as `verifyIntegrity`, and adds a seal to the database if nothing was found.
 * @throws StartupError if another process added a seal meanwhile
 */
export async function sealIntact(
  parts: IntegrityParts,
  clock: Clock,
  observed: Observed = {},
): Promise<SealingResult> {
  const { store, pool, auditKey, published } = parts
  const checks = await checksOf(parts)
  return sealLog(store, pool, clock, { ...observed, auditKey, published, checks })
}

/** What is checked while the log is read, beside its chains. */
async function checksOf({
  store,
  codec,
  pool,
  timeZone,
  now,
}: IntegrityParts): Promise<readonly LogCheck[]> {
  return [await createCloseCheck({ store, codec, pool }, monthOf(daysIn(timeZone)(now)))]
}
