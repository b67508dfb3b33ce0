import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import {
  compare,
  ofProvider,
  type Comparison,
  type Difference,
  type Scope,
} from '#services/finance/reconciliation/compare'
import type { LogSide } from '#services/finance/reconciliation/compared-record'
import type { AccountReader } from '#services/payments/account-reader'
import { feeRecord } from './fee-records.ts'
import type { FollowedLog } from './log-side.ts'
import { changesSince, type ProviderChangesSource } from './provider-changes.ts'
import { providerRecords } from './provider-records.ts'
import { settleFees } from './settle-fees.ts'

export interface ReconcilerParts extends ProviderChangesSource {
  readonly log: FollowedLog
  readonly account: Pick<AccountReader, 'provider' | 'objects' | 'fees' | 'fee'>
}

export interface ComparedAccount extends Comparison {
  /** The customers whose differences are still in flight, and not among `differences`. */
  readonly inFlight: number
}

/** A customer with differences that a change at the same time can explain. */
interface Suspect {
  readonly userId: string | null
  readonly customerRefs: ReadonlySet<ProviderRef>
  readonly ids: ReadonlySet<ProviderRef>
}

/**
 * Compares the log with the account at the provider. Only reads. `cutOff` is before the first read,
 * by the provider's clock.
 *
 * Both sides change while they are read. If a customer has differences, and the provider or the log
 * has an event of this customer since `cutOff`, the customer is read again from both. The
 * differences that remain are in flight if the log changed during this second read, or if the
 * product has not handled an event of the provider since `cutOff`. All other differences are
 * reported.
 */
export async function compareAccount(
  parts: ReconcilerParts,
  { cutOff, isInScope }: { readonly cutOff: Instant; readonly isInScope: Scope },
): Promise<ComparedAccount> {
  const { log, account } = parts
  await log.advance()
  const records = providerRecords(await account.objects(null))
  const fees = await account.fees()
  const side = ofProvider(log.side, account.provider)
  const { differences: found, compared } = compare(
    side,
    [...records, ...fees.map(feeRecord)],
    isInScope,
  )
  if (found.length === 0) return { differences: found, compared, inFlight: 0 }

  const { changed } = await changesSince(parts, cutOff)
  const recorded = await log.advance()
  const differences = found.filter(({ kind }) => kind !== 'fee')
  const linked = ofProvider(log.side, account.provider)
  const isSuspect = ({ userId, customerRef }: Difference) =>
    (userId !== null && recorded.has(userId)) ||
    [customerRef, ...linkedTo(linked, userId)].some((each) => each !== null && changed.has(each))
  const certain = differences.filter((each) => !isSuspect(each))
  const suspects = suspectsOf(differences.filter(isSuspect), linked)

  const remaining: { readonly suspect: Suspect; readonly differences: readonly Difference[] }[] = []
  let inFlight = 0
  for (const suspect of suspects) {
    const again = await readAgain(parts, suspect, isInScope)
    if (again === 'changing') inFlight += 1
    else if (again.length > 0) remaining.push({ suspect, differences: again })
  }
  // After the customers: it moves the log on.
  const ofFees = await settleFees(
    parts,
    found.filter(({ kind }) => kind === 'fee'),
    { fees, recorded, cutOff, isInScope },
  )
  certain.push(...ofFees.differences)
  inFlight += ofFees.inFlight
  if (remaining.length === 0) return { differences: certain, compared, inFlight }

  const { unhandled } = await changesSince(parts, cutOff)
  const isInFlight = ({ customerRefs }: Suspect) =>
    [...customerRefs].some((each) => unhandled.has(each))
  const reported = remaining.filter(({ suspect }) => !isInFlight(suspect))
  return {
    differences: [...certain, ...reported.flatMap((each) => each.differences)],
    compared,
    inFlight: inFlight + remaining.length - reported.length,
  }
}

function linkedTo({ customers }: LogSide, userId: string | null): readonly ProviderRef[] {
  return customers.get(userId ?? '')?.customerRefs ?? []
}

function suspectsOf(differences: readonly Difference[], side: LogSide): readonly Suspect[] {
  const suspects = new Map<string | ProviderRef, { userId: string | null; of: Difference[] }>()
  for (const difference of differences) {
    const { userId, customerRef } = difference
    const key = userId ?? customerRef ?? ''
    const known = suspects.get(key)
    if (known === undefined) suspects.set(key, { userId, of: [difference] })
    else known.of.push(difference)
  }
  return [...suspects.values()].map(({ userId, of }) => ({
    userId,
    customerRefs: new Set([
      ...linkedTo(side, userId),
      ...of.flatMap(({ customerRef }) => customerRef ?? []),
    ]),
    ids: new Set(of.map(({ id }) => id)),
  }))
}

/** The differences that remain. `changing`: the log has other events of the user meanwhile. */
async function readAgain(
  { log, account }: ReconcilerParts,
  { userId, customerRefs, ids }: Suspect,
  isInScope: Scope,
): Promise<readonly Difference[] | 'changing'> {
  const records = []
  for (const customer of customerRefs)
    records.push(...providerRecords(await account.objects(customer)))
  const recorded = await log.advance()
  if (userId !== null && recorded.has(userId)) return 'changing'
  const { records: all, customers } = ofProvider(log.side, account.provider)
  const own = new Map([...all].filter(([, record]) => record.userId === userId))
  const { differences } = compare({ records: own, customers }, records, isInScope)
  return differences.filter(({ id }) => ids.has(id))
}
