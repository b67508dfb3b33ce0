import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { compare, type Difference, type Scope } from '#services/finance/reconciliation/compare'
import type { AccountFee } from '#services/payments/account-objects'
import type { AccountReader } from '#services/payments/account-reader'
import { feeRecord } from './fee-records.ts'
import type { FollowedLog } from './log-side.ts'

interface SettledFees {
  readonly differences: readonly Difference[]
  /** The customers whose fees are still in flight, and not among `differences`. */
  readonly inFlight: number
}

/**
 * The differences of fees that a change at the same time does not explain. A fee that the provider
 * changed since `cutOff`, or whose merchant has a new event in the log, is read again. What then
 * still differs is in flight. `recorded`: the customers with events since the first reading.
 */
export async function settleFees(
  { log, account }: { readonly log: FollowedLog; readonly account: Pick<AccountReader, 'fee'> },
  differences: readonly Difference[],
  {
    fees,
    recorded,
    cutOff,
    isInScope,
  }: {
    readonly fees: readonly AccountFee[]
    readonly recorded: ReadonlySet<string>
    readonly cutOff: Instant
    readonly isInScope: Scope
  },
): Promise<SettledFees> {
  const changed = new Set(fees.filter(({ changedAt }) => changedAt >= cutOff).map(({ ref }) => ref))
  const isSuspect = ({ id, userId }: Difference) =>
    changed.has(id) || (userId !== null && recorded.has(userId))
  const certain = differences.filter((each) => !isSuspect(each))
  const suspects = new Map(
    differences.filter(isSuspect).map(({ id, userId, customerRef }) => [id, userId ?? customerRef]),
  )
  const inFlight = new Set<string | ProviderRef | null>()
  for (const [feeRef, customer] of suspects) if (await differsStill(feeRef)) inFlight.add(customer)
  return { differences: certain, inFlight: inFlight.size }

  async function differsStill(feeRef: ProviderRef): Promise<boolean> {
    const fee = await account.fee(feeRef)
    await log.advance()
    const record = log.side.records.get(feeRef)
    const own = new Map(record === undefined ? [] : [[feeRef, record]])
    const { customers } = log.side
    const again = fee === null ? [] : [feeRecord(fee)]
    return compare({ records: own, customers }, again, isInScope).differences.length > 0
  }
}
