import { withoutProof } from '#services/event-store/audit/event-proof'
import { isIntact, type VerifiedLog } from '#services/event-store/audit/verify-log'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { controls } from '#services/finance/controls/controls'
import { monthOf, parseDay, type Month } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import type { BeforeClose } from './before-close-check.ts'
import { checkSeal } from './check-seal.ts'
import { runControls } from '../control-run.ts'
import type { ComparedAccount } from '../reconciliation/compare-account.ts'
import {
  publishedSealsSubject,
  verifyIntegrity,
  type IntegrityParts,
  type Observed,
} from './verify-integrity.ts'

export interface BeforeCloseParts extends IntegrityParts {
  /**
   * Compares the log with the payment provider, as the report `reconciliation` does.
   * @throws StartupError if the provider cannot be read
   */
  readonly compare: () => Promise<Pick<ComparedAccount, 'differences' | 'inFlight'>>
  /** The last closed month; null if no month is closed. */
  readonly closedThrough: Month | null
}

/** Runs the checks before the close of `month`. Only reads. */
export async function checkBeforeClose(
  parts: BeforeCloseParts,
  month: Month,
  observed: Observed = {},
): Promise<readonly BeforeClose[]> {
  const verified = await verifyIntegrity(parts, observed)
  return [
    await reconciliationCheck(parts, month),
    isIntact(verified) ? await controlsCheck(parts, month) : notReplayed,
    verificationCheck(verified),
    checkSeal(verified.seals.at(-1) ?? null, Date.parse(parts.now)),
  ]
}

async function reconciliationCheck(
  { compare, timeZone }: BeforeCloseParts,
  month: Month,
): Promise<BeforeClose> {
  const check = 'reconciliation'
  try {
    const { differences, inFlight } = await compare()
    const waiting =
      inFlight === 0
        ? ''
        : ` ${countOf(inFlight, 'customer')} changed in the last minutes, and the product has not recorded the change yet.`
    if (differences.length === 0)
      return {
        check,
        outcome: 'passed',
        sentence: `The log agrees with the payment provider.${waiting}`,
      }
    const dayOf = daysIn(timeZone)
    const toMonth = differences.filter(({ at }) => monthOf(dayOf(at)) <= month).length
    return {
      check,
      outcome: 'finding',
      sentence: `The report reconciliation lists ${countOf(differences.length, 'difference')}, ${toMonth} of them to the end of ${month}. Run 'billing reconcile --all', then 'billing report reconciliation'.${waiting}`,
    }
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof DamagedHistory)) throw error
    return {
      check,
      outcome: 'finding',
      sentence: `The log was not compared with the payment provider. ${error.message}`,
    }
  }
}

const notReplayed: BeforeClose = {
  check: 'controls',
  outcome: 'finding',
  sentence: 'The controls were not replayed, because the verification found a problem.',
}

/** A firing counts if its event happened in a month that the close closes. */
async function controlsCheck(
  { store, timeZone, now, closedThrough }: BeforeCloseParts,
  month: Month,
): Promise<BeforeClose> {
  const check = 'controls'
  // The verification found that every event is genuine.
  const source = { store, proof: withoutProof, codec: createKeylessCodec() }
  const run = runControls(controls, { knownAt: null, timeZone }, source, now)
  const dayOf = daysIn(timeZone)
  let firings = 0
  for await (const rows of run.rows())
    for (const { occurred_at: occurredAt } of rows) {
      const day = parseDay(dayOf(String(occurredAt)))
      const fired = day === null ? month : monthOf(day)
      if (fired <= month && (closedThrough === null || fired > closedThrough)) firings += 1
    }
  const unread = run.leftOut().size
  if (firings === 0 && unread === 0)
    return {
      check,
      outcome: 'passed',
      sentence: 'No control fired in the months that this closes.',
    }
  const parts = [
    ...(firings === 0
      ? []
      : [`${countOf(firings, 'control')} fired in the months that this closes.`]),
    ...(unread === 0 ? [] : [`${countOf(unread, 'customer')} has an event that cannot be read.`]),
  ]
  return { check, outcome: 'finding', sentence: `${parts.join(' ')} Run 'billing controls run'.` }
}

function verificationCheck(verified: VerifiedLog): BeforeClose {
  const check = 'verification'
  if (isIntact(verified))
    return {
      check,
      outcome: 'passed',
      sentence: `Every chain, every MAC, ${countOf(verified.seals.length, 'seal')} and every closed month hold.`,
    }
  const onlyPublishing = isIntact({
    ...verified,
    checked: verified.checked.filter(({ subject }) => subject !== publishedSealsSubject),
  })
  if (onlyPublishing)
    return {
      check,
      outcome: 'finding',
      sentence: verified.checked.flatMap(({ problems }) => problems).join(' '),
    }
  return {
    check,
    outcome: 'refused',
    sentence:
      "The verification found a problem. Run 'billing events verify' and repair the log: a changed log is not closed, and --accept does not change that.",
  }
}
