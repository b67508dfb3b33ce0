import type { ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { EventFeed } from '#services/payments/event-feed'
import { accountFailures, synchronizeAccount, type AccountFailures } from './account-failures.ts'
import type { CustomerOwner } from '../webhooks/customer-owner.ts'
import type { ReconcilerParts, ReconcilerRun } from './reconciler-run.ts'

type CustomerObject =
  ReturnType<EventFeed['customerObjects']> extends AsyncIterable<infer Each> ? Each : never

const usersPerPage = 200
const objectsPerPage = 100

/**
 * Synchronizes every linked customer. Then reports every subscription, invoice and refund at the
 * provider whose customer is linked to no account, with one error line each.
 * @returns the number of these objects
 */
export async function reconcileEverything(
  parts: ReconcilerParts,
  run: ReconcilerRun,
): Promise<number> {
  const { links, state, webhookLog, clock } = parts
  const startedAt = clock.now().toISOString()
  const noted = await accountFailures(parts)
  await synchronizeAll(parts, run, noted, await links.unfoldedUsers())
  let after: UserId | null = null
  for (;;) {
    const users: readonly UserId[] = await links.users(after, usersPerPage)
    if (users.length === 0) break
    after = users.at(-1) ?? null
    await synchronizeAll(parts, run, noted, users)
  }
  const unlinked = await reportUnlinked(parts, run)
  await state.completedFull(startedAt, unlinked)
  await webhookLog.deleteOld()
  return unlinked
}

/**
 * Leaves out the accounts that this run has synchronized, unless a failure of them is still noted,
 * and the accounts that it could not synchronize.
 */
async function synchronizeAll(
  parts: ReconcilerParts,
  run: ReconcilerRun,
  noted: AccountFailures,
  users: readonly UserId[],
): Promise<void> {
  const waiting = users.filter(
    (userId) => !run.hasFailed(userId) && (!run.synchronized.has(userId) || noted.has(userId)),
  )
  await run.each(waiting, (userId) => synchronizeAccount(parts, run, userId, noted))
}

async function reportUnlinked(parts: ReconcilerParts, run: ReconcilerRun): Promise<number> {
  let count = 0
  let page: CustomerObject[] = []
  for await (const object of parts.feed.customerObjects()) {
    run.signal.throwIfAborted()
    page.push(object)
    if (page.length < objectsPerPage) continue
    count += await reportUnlinkedOf(parts, run, page)
    page = []
  }
  return count + (await reportUnlinkedOf(parts, run, page))
}

async function reportUnlinkedOf(
  { links, owner, log }: ReconcilerParts,
  run: ReconcilerRun,
  objects: readonly CustomerObject[],
): Promise<number> {
  const customers = new Set(objects.flatMap(({ customerRef }) => customerRef ?? []))
  const linked = new Set(await links.linkedAmong([...customers]))
  // The read model can be behind the log, so the billing stream decides. A customer whose stream
  // cannot be read is a failure, and not reported as unlinked.
  for (const customer of customers)
    if (
      !linked.has(customer) &&
      (await run.lookUp(customer, () => ownerUnlessFailed(owner, run, customer))) !== null
    )
      linked.add(customer)

  const unlinked = objects.filter(
    ({ customerRef }) => customerRef === null || !linked.has(customerRef),
  )
  for (const { kind, ref, customerRef } of unlinked)
    log.error(
      { kind, ref, customerRef },
      'The payment provider has a subscription, an invoice or a refund whose customer belongs to no account. Check it in the dashboard of the provider.',
    )
  return unlinked.length
}

/** If this run has noted a failure of the account, its stream is not read again: one failure. */
async function ownerUnlessFailed(
  owner: CustomerOwner,
  run: ReconcilerRun,
  customer: ProviderRef,
): Promise<UserId | null> {
  const named = await owner.namedUserOf(customer)
  return named !== null && run.hasFailed(named) ? named : owner.userOf(customer, null)
}
