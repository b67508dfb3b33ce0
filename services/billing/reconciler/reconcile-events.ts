import { isProviderRef, textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { ProviderEvent } from '#services/payments/provider-event'
import type { ProviderEventOutcome } from '../webhooks/provider-event-outcome.ts'
import { beforeCursor } from './reconciler-state.ts'
import type { ReconcilerParts, ReconcilerRun } from './reconciler-run.ts'

const pageSize = 100

/**
 * Handles the provider's events since the cursor, oldest first, as webhooks, unless their webhooks
 * were handled. The cursor moves after each page whose customers were all synchronized, or noted
 * for a later run. So a crash repeats at most one page, and a repeat records no second fact.
 */
export async function reconcileEvents(parts: ReconcilerParts, run: ReconcilerRun): Promise<void> {
  const { feed, state, webhookLog } = parts
  const progress = await state.read()
  const since = progress?.cursor ?? null
  const providerEvents = await feed.since(since === null ? null : beforeCursor(since))
  const settled: Settled = new Map()
  for (const { key } of await notYetDue(parts)) settled.set(key, 'failed')

  for (let first = 0; first < providerEvents.length; first += pageSize) {
    const page = providerEvents.slice(first, first + pageSize)
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
  { readonly outcome: ProviderEventOutcome; readonly changesSince: Instant | null } | 'failed'
>

interface Group {
  /** The customer; the event if it names no customer. */
  readonly key: string
  /** Oldest first. */
  readonly providerEvents: readonly ProviderEvent[]
}

/** The events of each customer. An event whose customer is unknown is a group of its own. */
async function byCustomer(
  { owner }: ReconcilerParts,
  run: ReconcilerRun,
  providerEvents: readonly ProviderEvent[],
): Promise<readonly Group[]> {
  const groups = new Map<string, ProviderEvent[]>()
  const ofObject = new Map(providerEvents.map((each) => [each.objectRef, each.customerRef]))
  for (const providerEvent of providerEvents) {
    run.signal.throwIfAborted()
    // Mostly another event of the page has the invoice or the charge itself. `handleGroup` repeats
    // a failed look-up, and notes its failure.
    const customer =
      ofObject.get(providerEvent.reference?.ref ?? null) ??
      (await owner.customerOf(providerEvent).catch(() => null))
    const named = customer === null ? providerEvent : { ...providerEvent, customerRef: customer }
    const key = textOfRef(customer ?? providerEvent.eventRef)
    groups.set(key, [...(groups.get(key) ?? []), named])
  }
  return [...groups].map(([key, group]) => ({ key, providerEvents: group }))
}

/**
 * Handles the newest provider event of a customer, with the changes since the oldest, and logs the
 * same outcome for the others. A customer is handled a second time if only a later page reports a
 * change: the first time did not read the customer's history.
 */
async function handleGroup(
  { handle, state, webhookLog }: ReconcilerParts,
  run: ReconcilerRun,
  settled: Settled,
  { key, providerEvents }: Group,
): Promise<void> {
  const newest = providerEvents.at(-1)
  if (newest === undefined) return
  const changesSince = oldestOf(providerEvents)
  const before = settled.get(key)
  if (before === 'failed') return state.noteChanges(key, changesSince)
  const isCovered = before !== undefined && (changesSince === null || before.changesSince !== null)
  if (isCovered) return logSame(webhookLog, providerEvents, before.outcome)

  const { eventRef } = newest
  let outcome: ProviderEventOutcome | undefined
  const isDone = await run.attempt({ key, userId: null, eventRef, changesSince }, async () => {
    outcome = await handle({ ...newest, changesSince }, 'reconciler')
    return factsOf(run, outcome)
  })
  settled.set(key, isDone && outcome !== undefined ? { outcome, changesSince } : 'failed')
  if (outcome !== undefined) await logSame(webhookLog, providerEvents.slice(0, -1), outcome)
}

async function logSame(
  webhookLog: ReconcilerParts['webhookLog'],
  providerEvents: readonly ProviderEvent[],
  outcome: ProviderEventOutcome,
): Promise<void> {
  const same = outcome.kind === 'synchronized' ? { ...outcome, facts: 0 } : outcome
  for (const providerEvent of providerEvents)
    await webhookLog.record(providerEvent, 'reconciler', same)
}

function oldestOf(providerEvents: readonly ProviderEvent[]): Instant | null {
  return providerEvents.find(({ changesSince }) => changesSince !== null)?.changesSince ?? null
}

function factsOf({ synchronized }: ReconcilerRun, outcome: ProviderEventOutcome): number | null {
  if (outcome.kind === 'ignored') return null
  synchronized.add(outcome.userId)
  return outcome.facts
}

async function notYetDue({ state, clock }: ReconcilerParts) {
  const now = clock.now().toISOString()
  return (await state.failures()).filter(({ nextAttemptAt }) => nextAttemptAt > now)
}

/** Retries the failures of earlier runs that are due. */
async function retryFailures(
  { state, clock, feed, handle, owner, log }: ReconcilerParts,
  run: ReconcilerRun,
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
      const providerEvent = await feed.retrieve(eventRef)
      if (providerEvent === null) {
        log.error(
          { key, eventRef },
          "The provider no longer has an event whose synchronization failed. Run 'billing reconcile --all'.",
        )
        return null
      }
      return factsOf(run, await handle({ ...providerEvent, changesSince }, 'reconciler'))
    })
  })
}
