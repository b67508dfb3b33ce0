import { isProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { ReconcilerFailure } from './reconciler-state.ts'
import type { ReconcilerParts, ReconcilerRun } from './reconciler-run.ts'

/** The noted failures of each account. */
export type AccountFailures = ReadonlyMap<UserId, readonly ReconcilerFailure[]>

/**
 * The noted failures whose account is known, due or not. The key of the others is an event, or a
 * customer whose account cannot be looked up: they stay until their next attempt.
 */
export async function accountFailures({
  state,
  owner,
}: Pick<ReconcilerParts, 'state' | 'owner'>): Promise<AccountFailures> {
  const failures = new Map<UserId, ReconcilerFailure[]>()
  for (const failure of await state.failures()) {
    const userId = failure.userId ?? (await accountOf(failure.key, owner))
    if (userId !== null) failures.set(userId, [...(failures.get(userId) ?? []), failure])
  }
  return failures
}

async function accountOf(key: string, owner: ReconcilerParts['owner']): Promise<UserId | null> {
  // A failure without its account stays noted: a later run handles it by its own key.
  return isProviderRef(key) ? owner.userOf(key, null).catch(() => null) : null
}

/**
 * Synchronizes the account, with the changes that its noted failures have missed. A success removes
 * these failures: of the account and of its customers at the provider.
 */
export async function synchronizeAccount(
  { state }: Pick<ReconcilerParts, 'state'>,
  run: ReconcilerRun,
  userId: UserId,
  noted: AccountFailures,
): Promise<void> {
  const failures = noted.get(userId) ?? []
  const changesSince = oldestChange(failures)
  const isDone = await run.attempt({ key: userId, userId, eventRef: null, changesSince }, () =>
    run.synchronize(userId, changesSince),
  )
  if (isDone) for (const { key } of failures) await state.clearFailure(key)
}

function oldestChange(failures: readonly ReconcilerFailure[]): Instant | null {
  const times = failures.flatMap(({ changesSince }) => changesSince ?? [])
  return times.sort()[0] ?? null
}
