import { leaseNames } from '#services/foundation/application-names'
import { acquireLease, takeFreeLease } from '#services/postgres/lease'
import type { ReconcilerLease } from './reconciler.ts'

/** Null if another process still holds the lease after 1 s. */
export function takeReconcilerLease(connectionString: string): Promise<ReconcilerLease | null> {
  return takeFreeLease(connectionString, leaseNames.reconciling)
}

/** Waits for the lease. Null if `signal` aborts first. */
export function waitForReconcilerLease(
  connectionString: string,
  signal: AbortSignal,
): Promise<ReconcilerLease | null> {
  return acquireLease(connectionString, leaseNames.reconciling, signal)
}
