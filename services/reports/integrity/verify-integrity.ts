import type pg from 'pg'
import type { Instant } from '#contracts/instant'
import { withoutProof } from '#services/event-store/audit/event-proof'
import type { SealSource } from '#services/event-store/audit/check-seals'
import { sealLog, type SealingResult } from '#services/event-store/audit/seal-log'
import {
  createPersonalKeyCheck,
  type KeysChecked,
  type PersonalKeyCheck,
} from '#services/event-store/encryption/check-personal-keys'
import { readSealedHeads, readSeals } from '#services/event-store/audit/seal-table'
import {
  createFoundCheck,
  verifyLog,
  type LogCheck,
  type VerifiedLog,
  type VerifyOptions,
} from '#services/event-store/audit/verify-log'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { howToRestoreKeys } from '#services/event-store/errors'
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
import { countOf, formatCount } from '#services/foundation/format-count'
import { createCloseCheck } from '../closing/close-check.ts'
import { financeLog } from '../finance-log.ts'

export interface IntegrityParts {
  readonly store: EventStore
  readonly pool: pg.Pool
  readonly keys: Pick<PersonalKeys, 'statesOf'>
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
 * the database, the published ones, every closed month, and every personal key. Changes nothing. A
 * place that cannot be read, and a seal that a place did not take yet, are problems.
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
  const found = createFoundCheck(publishedSealsSubject, [
    ...failures,
    ...waiting.map(waitingInWords),
  ])
  return withChecks(parts, (checks) =>
    verifyLog(
      store,
      { ...observed, seals, sealedHeads, auditKey, checks: [...checks, found] },
      (verified) => Promise.resolve(verified),
    ),
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
  const found = createFoundCheck(publishedSealsSubject, failures)
  const result = await withChecks(parts, (checks) =>
    sealLog(store, pool, clock, {
      ...observed,
      auditKey,
      published,
      checks: [...checks, found],
    }),
  )
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

/** Runs `work` with what is checked while the log is read, beside its chains. */
async function withChecks<Result>(
  { store, pool, keys, timeZone, now }: IntegrityParts,
  work: (checks: readonly LogCheck[]) => Promise<Result>,
): Promise<Result> {
  // The verification checks the MAC of every event in the same reading.
  const log = financeLog(store, withoutProof)
  const closes = await createCloseCheck({ ...log, pool }, monthOf(daysIn(timeZone)(now)))
  const personalKeys = createPersonalKeyCheck(keys)
  try {
    return await work([closes, logCheckOf(personalKeys)])
  } finally {
    await personalKeys.remove()
  }
}

/** The check of personal keys as one of the checks of a verification. */
function logCheckOf({ add, result }: PersonalKeyCheck): LogCheck {
  return {
    subject: 'personal keys',
    page: add,
    async end() {
      const checked = await result()
      return { problems: keyProblemTexts(checked), proven: provenKeys(checked) }
    },
  }
}

/** The problems, one a sentence. The last one says what to do. */
export function keyProblemTexts({
  problems,
  subjectsWithProblems,
}: KeysChecked): readonly string[] {
  const more = subjectsWithProblems - problems.length
  const rest = more === 0 ? '' : ` ${formatCount(more)} more personal keys are not listed.`
  return problems.map(({ text }, index) =>
    index < problems.length - 1 ? text : `${text}${rest}\n${howToRestoreKeys}`,
  )
}

function provenKeys({ leftOut }: KeysChecked): string {
  return leftOut === 0
    ? 'No personal key is missing.'
    : `An import left out the personal keys of ${countOf(leftOut, 'person or enquiry', 'persons or enquiries')}; no other one is missing.`
}
