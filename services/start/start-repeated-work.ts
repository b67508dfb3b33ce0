import { startCleaningErased } from '#services/accounts/clean-erased'
import type { EraseParts } from '#services/accounts/erase-person'
import { startErasingUnverified } from '#services/accounts/erase-unverified'
import { startReconciler } from '#services/billing/reconciler/reconciler'
import { leaseNames } from '#services/foundation/application-names'
import { systemClock } from '#services/foundation/clock'
import { takeFreeLease } from '#services/postgres/lease'
import { cleaningParts, largestRewriteWhileRunning } from '#services/read-side/personal-tables'
import { startReconcilingAccounts } from '#services/receivables/checkout/reconcile-accounts'
import type { BackgroundParts } from './product-parts.ts'
import type { createClientCheckouts } from './create-client-checkouts.ts'
import type { StartContext } from './start-context.ts'

/**
 * Starts the work that one process repeats: the reconcilers, the erasure of unverified accounts and
 * the cleaning after erasures. Each has a lease.
 */
export function startRepeatedWork(
  { log, started }: Pick<StartContext, 'log' | 'started'>,
  parts: BackgroundParts,
  erasure: EraseParts,
  checkouts: ReturnType<typeof createClientCheckouts>,
): void {
  const { keys, storage, side } = parts
  const { connectionString, background: pool, store } = storage
  const { billing, events } = side
  started.add(
    'reconciler',
    startReconciler({
      ...events,
      billing,
      state: parts.reconcilerState,
      clock: systemClock,
      log,
      takeLease: () => takeFreeLease(connectionString, leaseNames.reconciling),
    }),
  )
  started.add(
    'erasure of unverified accounts',
    startErasingUnverified({
      ...erasure,
      queries: parts.readSide.unverified,
      hasCustomer: billing.hasCustomer,
      log,
      takeLease: () => takeFreeLease(connectionString, leaseNames.erasing),
    }),
  )
  started.add(
    'cleaning after erasures',
    startCleaningErased({
      ...cleaningParts({
        connectionString,
        pool,
        keys,
        store,
        log,
        largestBytes: largestRewriteWhileRunning,
      }),
      takeLease: () => takeFreeLease(connectionString, leaseNames.cleaning),
    }),
  )
  started.add(
    'reconciler of accounts',
    startReconcilingAccounts({
      ...checkouts,
      clock: systemClock,
      log,
      takeLease: () => takeFreeLease(connectionString, leaseNames.reconcilingAccounts),
    }),
  )
}
