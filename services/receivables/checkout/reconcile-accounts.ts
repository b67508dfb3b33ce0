import type { Logger } from 'pino'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import { createBackoff } from '#services/foundation/backoff'
import type { Clock } from '#services/foundation/clock'
import { inParallel } from '#services/foundation/in-parallel'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import type { ClientPayments } from '#services/payments/client-payments'
import { PaymentProviderRefused } from '#services/payments/payment-provider'
import type { WaysToPayOfMerchants } from '../ways-to-pay/ways-to-pay.ts'
import type { KnownAccount, KnownAccounts } from './connected-accounts-table.ts'
import type { OpenCheckouts } from './open-checkouts-table.ts'
import type { CheckoutSync } from './sync-checkout.ts'

export interface ReconcileAccountsParts {
  readonly payments: Pick<ClientPayments, 'changedCheckouts'>
  readonly known: Pick<KnownAccounts, 'due' | 'looked' | 'checked'>
  readonly open: Pick<OpenCheckouts, 'ofAccount'>
  readonly sync: Pick<CheckoutSync, 'sync' | 'endLeftOver'>
  readonly ways: Pick<WaysToPayOfMerchants, 'refreshAccount'>
  readonly newId: () => string
  /** The security clock. */
  readonly clock: Clock
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>
  /** Null if another process reconciles. */
  readonly takeLease: () => Promise<{ readonly lost: AbortSignal; release(): Promise<void> } | null>
  /** Between two looks for accounts that are due, in milliseconds. Default 60,000. */
  readonly everyMs?: number
}

/** No click opens the page of its reservation so late, and the provider closes a page in a day. */
const leftOverMs = 25 * 60 * 60_000
/** From one comparison of an account to the next. */
const betweenMs = 60 * 60_000
/** Accounts at the same time: one with many payments does not keep the others waiting. */
const lanes = 4
const accountsInARead = 50
/** Events are listed this much twice, because the provider dates them to a second, and late. */
const overlapMs = 10 * 60_000
/** The provider keeps events for 30 days. An account that waited longer is read as a whole. */
const eventsKeptMs = 25 * 24 * 60 * 60_000

/**
 * Compares each account with the log once an hour, the longest waiting first, and page by page: the
 * webhooks of an hour can all be lost. The returned function stops after the accounts in progress.
 */
export function startReconcilingAccounts(parts: ReconcileAccountsParts): () => Promise<void> {
  const { log, everyMs = 60_000 } = parts
  const stop = new AbortController()
  const running = repeat(() => reconcileDueAccounts(parts, stop.signal), {
    everyMs,
    backoff: createBackoff({ firstMs: 5_000, longestMs: 60_000 }),
    outage: createOutageLog(log, {
      began: "The merchants' accounts cannot be compared with the log; trying again.",
      lasts: "The merchants' accounts still cannot be compared with the log.",
      over: "The merchants' accounts are compared with the log again.",
    }),
    signal: stop.signal,
  })
  return async () => {
    stop.abort()
    await running
  }
}

/** One round: all accounts that are due, if no other process runs. */
export async function reconcileDueAccounts(
  parts: ReconcileAccountsParts,
  signal: AbortSignal,
): Promise<void> {
  const { known, clock } = parts
  const due = () =>
    known.due(new Date(clock.now().getTime() - betweenMs).toISOString(), accountsInARead)
  if ((await due()).length === 0) return
  const lease = await parts.takeLease()
  if (lease === null) return
  try {
    const ended = AbortSignal.any([signal, lease.lost])
    const failures: unknown[] = []
    const next = takingInTurn(due)
    await inParallel(lanes, Array.from({ length: lanes }), async () => {
      for (let account = await next(); account !== null && !ended.aborted; account = await next())
        await reconcileAccount(parts, account).catch((error: unknown) => void failures.push(error))
    })
    // One account's failure delays no other one; the round as a whole failed.
    if (failures.length > 0) throw failures[0]
  } finally {
    await lease.release()
  }
}

/** The next account that is due, each once: one with many changes takes one lane, and no more. */
function takingInTurn(
  due: () => Promise<readonly KnownAccount[]>,
): () => Promise<KnownAccount | null> {
  const taken = new Set<ProviderRef>()
  let waiting: KnownAccount[] = []
  return async () => {
    if (waiting.length === 0) waiting = [...(await due())]
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (taken.has(next.accountRef)) continue
      taken.add(next.accountRef)
      return next
    }
    return null
  }
}

/** Reads every checkout of the account that changed, and those that are under way. */
export async function reconcileAccount(
  { payments, known, open, sync, ways, newId, clock }: Omit<ReconcileAccountsParts, 'takeLease'>,
  { accountRef, merchantId, seenUntil, checkedAt }: KnownAccount,
): Promise<void> {
  const at = clock.now().toISOString()
  await known.looked(accountRef, at)
  const context = (): CommandContext => ({
    commandId: `reconcile ${newId()}`,
    correlationId: newId(),
    actor: { kind: 'system', id: 'reconciler of accounts' },
    source: 'reconciler',
  })
  const refreshed = await ways.refreshAccount(merchantId, accountRef, context())
  const isPresent =
    refreshed.kind === 'done' && refreshed.payments.account?.accountRef === accountRef
  let newest: Instant | null = null
  try {
    const since = isFresh(checkedAt, at) && seenUntil !== null ? before(seenUntil) : null
    const read = new Set<string>()
    for await (const change of payments.changedCheckouts(accountRef, since)) {
      // A payment has several events, and the first look reads what all of them changed.
      const { clientId, checkoutId } = change
      const claim = `${clientId} ${checkoutId}`
      if (!read.has(claim)) await sync.sync(clientId, checkoutId, context())
      read.add(claim)
      if (newest === null || change.at > newest) newest = change.at
    }
  } catch (error) {
    // Without access nothing can be read there; the merchant has disconnected it.
    if (!(error instanceof PaymentProviderRefused) || isPresent) throw error
  }
  for (const { clientId, checkoutId, listedAt } of await open.ofAccount(accountRef))
    await (Date.parse(at) - Date.parse(listedAt) > leftOverMs
      ? sync.endLeftOver(clientId, checkoutId, context())
      : sync.sync(clientId, checkoutId, context()))
  await known.checked(accountRef, at, newest)
}

function isFresh(checkedAt: Instant | null, now: Instant): boolean {
  return checkedAt !== null && Date.parse(now) - Date.parse(checkedAt) < eventsKeptMs
}

function before(at: Instant): Instant {
  return new Date(Date.parse(at) - overlapMs).toISOString()
}
