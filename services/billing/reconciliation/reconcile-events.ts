import { isProviderRef, textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { ProviderNotice } from '#services/payments/notice'
import type { NoticeOutcome } from '../webhooks/notice-outcome.ts'
import { beforeCursor } from './reconciler-state.ts'
import type { ReconciliationParts, ReconciliationRun } from './reconciliation-run.ts'

const pageSize = 100

/**
 * Handles the provider's events since the cursor, oldest first, as webhooks, unless their webhooks
 * were handled. The cursor moves after each page whose customers were all synchronized, or noted
 * for a later run. So a crash repeats at most one page, and a repeat records no second fact.
 */
export async function reconcileEvents(
  parts: ReconciliationParts,
  run: ReconciliationRun,
): Promise<void> {
  const { feed, state, webhookLog } = parts
  const progress = await state.read()
  const since = progress?.cursor ?? null
  const notices = await feed.since(since === null ? null : beforeCursor(since))
  const settled: Settled = new Map()
  for (const { key } of await notYetDue(parts)) settled.set(key, 'failed')

  for (let first = 0; first < notices.length; first += pageSize) {
    const page = notices.slice(first, first + pageSize)
    const handled = await webhookLog.settled(page.map(({ eventRef }) => eventRef))
    const lost = page.filter(({ eventRef }) => !handled.has(eventRef))
    await run.each(await byCustomer(parts, run, lost), (group) =>
      handleGroup(parts, run, settled, group),
    )
    const last = page.at(-1)
    if (last !== undefined) await state.moveCursor(last.created)
  }
  await retryFailures(parts, run, settled)
}

/** What the run did with each customer so far. */
type Settled = Map<
  string,
  { readonly outcome: NoticeOutcome; readonly changesSince: Instant | null } | 'failed'
>

interface Group {
  /** The customer; the event if it names no customer. */
  readonly key: string
  /** Oldest first. */
  readonly notices: readonly ProviderNotice[]
}

/** The events of each customer. An event whose customer is unknown is a group of its own. */
async function byCustomer(
  { owner }: ReconciliationParts,
  run: ReconciliationRun,
  notices: readonly ProviderNotice[],
): Promise<readonly Group[]> {
  const groups = new Map<string, ProviderNotice[]>()
  const ofObject = new Map(notices.map((each) => [each.objectRef, each.customerRef]))
  for (const notice of notices) {
    run.signal.throwIfAborted()
    // Mostly another event of the page has the invoice or the charge itself. `handleGroup` repeats
    // a failed look-up, and notes its failure.
    const customer =
      ofObject.get(notice.reference?.ref ?? null) ??
      (await owner.customerOf(notice).catch(() => null))
    const named = customer === null ? notice : { ...notice, customerRef: customer }
    const key = textOfRef(customer ?? notice.eventRef)
    groups.set(key, [...(groups.get(key) ?? []), named])
  }
  return [...groups].map(([key, group]) => ({ key, notices: group }))
}

/**
 * Handles the newest notice of a customer, with the changes since the oldest, and logs the same
 * outcome for the others. A customer is handled a second time if only a later page reports a
 * change: the first time did not read the customer's history.
 */
async function handleGroup(
  { handle, state, webhookLog }: ReconciliationParts,
  run: ReconciliationRun,
  settled: Settled,
  { key, notices }: Group,
): Promise<void> {
  const newest = notices.at(-1)
  if (newest === undefined) return
  const changesSince = oldestOf(notices)
  const before = settled.get(key)
  if (before === 'failed') return state.noteChanges(key, changesSince)
  const isCovered = before !== undefined && (changesSince === null || before.changesSince !== null)
  if (isCovered) return logSame(webhookLog, notices, before.outcome)

  const { eventRef } = newest
  let outcome: NoticeOutcome | undefined
  const isDone = await run.attempt({ key, userId: null, eventRef, changesSince }, async () => {
    outcome = await handle({ ...newest, changesSince }, 'reconciler')
    return factsOf(run, outcome)
  })
  settled.set(key, isDone && outcome !== undefined ? { outcome, changesSince } : 'failed')
  if (outcome !== undefined) await logSame(webhookLog, notices.slice(0, -1), outcome)
}

async function logSame(
  webhookLog: ReconciliationParts['webhookLog'],
  notices: readonly ProviderNotice[],
  outcome: NoticeOutcome,
): Promise<void> {
  const same = outcome.kind === 'synchronized' ? { ...outcome, facts: 0 } : outcome
  for (const notice of notices) await webhookLog.record(notice, 'reconciler', same)
}

function oldestOf(notices: readonly ProviderNotice[]): Instant | null {
  return notices.find(({ changesSince }) => changesSince !== null)?.changesSince ?? null
}

function factsOf({ synchronized }: ReconciliationRun, outcome: NoticeOutcome): number | null {
  if (outcome.kind === 'ignored') return null
  synchronized.add(outcome.userId)
  return outcome.facts
}

async function notYetDue({ state, clock }: ReconciliationParts) {
  const now = clock.now().toISOString()
  return (await state.failures()).filter(({ nextAttemptAt }) => nextAttemptAt > now)
}

/** Retries the failures of earlier runs that are due. */
async function retryFailures(
  { state, clock, feed, handle, owner, log }: ReconciliationParts,
  run: ReconciliationRun,
  settled: ReadonlyMap<string, unknown>,
): Promise<void> {
  const now = clock.now().toISOString()
  const due = (await state.failures()).filter(
    ({ key, nextAttemptAt }) => nextAttemptAt <= now && !settled.has(key),
  )
  await run.each(due, async ({ key, userId, eventRef, changesSince }) => {
    await run.attempt({ key, userId, eventRef, changesSince }, async () => {
      if (userId !== null) return run.synchronize(userId)
      // Of a full run, which could not look the customer up: the key is the customer.
      if (eventRef === null) {
        const owned = isProviderRef(key) ? await owner.userOf(key, null) : null
        return owned === null ? null : run.synchronize(owned, changesSince)
      }
      const notice = await feed.retrieve(eventRef)
      if (notice === null) {
        log.error(
          { key, eventRef },
          "The provider no longer has an event whose synchronization failed. Run 'billing reconcile --all'.",
        )
        return null
      }
      return factsOf(run, await handle({ ...notice, changesSince }, 'reconciler'))
    })
  })
}
