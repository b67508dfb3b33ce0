import type pg from 'pg'
import type { Instant } from '#contracts/instant'
import type { SealSource } from '#services/event-store/audit/check-seals'
import { sealLog, type SealingResult } from '#services/event-store/audit/seal-log'
import { readSealedHeads, readSeals } from '#services/event-store/audit/seal-table'
import {
  createFoundCheck,
  verifyLog,
  type LogCheck,
  type VerifiedLog,
  type VerifyOptions,
} from '#services/event-store/audit/verify-log'
import {
  publishSeals,
  readPublished,
  type Publication,
  type PublishedSeals,
} from '#services/event-store/publishing/publish-seals'
import type { SealPlace } from '#services/event-store/publishing/seal-place'
import type { EventStore } from '#services/event-store/event-store'
import { monthOf } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
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
  /** Where seals are published, to compare the log with them. */
  readonly places: readonly SealPlace[]
  /** Manifests that the caller names. */
  readonly manifests: readonly SealSource[]
}

export type Observed = Pick<VerifyOptions, 'onEvents' | 'onRead' | 'onStreams' | 'signal'>

/**
 * Verifies everything that the product can prove about its log: the chains, the MACs, the seals of
 * the database, the published ones, and every closed month. Changes nothing. A place that cannot be
 * read, and a seal that a place did not take yet, are problems.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function verifyIntegrity(
  parts: IntegrityParts,
  observed: Observed = {},
): Promise<VerifiedLog> {
  const { store, pool, auditKey, places, manifests } = parts
  const { sources, failures, waiting } = await readPublished(pool, places)
  const seals = [{ name: 'the database', seals: await readSeals(pool) }, ...sources, ...manifests]
  const sealedHeads = readSealedHeads(pool)
  const checks = [
    ...(await checksOf(parts)),
    createFoundCheck(publishedSealsSubject, [...failures, ...waiting.map(waitingInWords)]),
  ]
  return verifyLog(store, { ...observed, seals, sealedHeads, auditKey, checks }, (verified) =>
    Promise.resolve(verified),
  )
}

type IntactSealing =
  | (Extract<SealingResult, { kind: 'sealed' }> & { readonly publications: readonly Publication[] })
  | Extract<SealingResult, { kind: 'refused' }>

/**
 * Verifies as `verifyIntegrity`, adds a seal to the database if nothing was found, and publishes
 * every seal that a place does not have: a failure of a place is part of the result. A place that
 * cannot be read refuses the seal: the log could have been cut back to before a published seal.
 * @throws StartupError if another process added a seal meanwhile
 */
export async function sealIntact(
  parts: IntegrityParts,
  clock: Clock,
  observed: Observed = {},
): Promise<IntactSealing> {
  const { store, pool, auditKey, places, manifests } = parts
  const { sources, failures } = await readPublished(pool, places)
  const published = [...sources, ...manifests]
  const checks = [...(await checksOf(parts)), createFoundCheck(publishedSealsSubject, failures)]
  const result = await sealLog(store, pool, clock, { ...observed, auditKey, published, checks })
  if (result.kind === 'refused') return result
  return { ...result, publications: await publishSeals(pool, places) }
}

/** The subject of what is found about published seals. */
export const publishedSealsSubject = 'published seals'

function waitingInWords({ place, sequences }: PublishedSeals['waiting'][number]): string {
  const [first, last] = [sequences[0] ?? 0, sequences.at(-1) ?? 0]
  const which =
    sequences.length === 1
      ? `Seal ${first} is`
      : `${formatCount(sequences.length)} seals from ${first} to ${last} are`
  return `${which} not published to ${place}. Run 'billing events publish'.`
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
