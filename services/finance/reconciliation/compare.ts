import { idAtProvider, providerOf, type ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import {
  comparedFields,
  comparedKinds,
  type ComparedField,
  type ComparedKind,
  type ComparedValue,
  type LogRecord,
  type LogSide,
  type ProviderRecord,
} from './compared-record.ts'
import { pairsOf, type Pair } from './pairs.ts'
import { otherRefunded, refundedByIntent } from './refunded.ts'

/** One difference between the log and the provider, with both sides. */
export interface Difference {
  readonly kind: ComparedKind
  /** The object at the provider. */
  readonly id: ProviderRef
  /** Null for an object whose customer belongs to no account. */
  readonly userId: string | null
  readonly customerRef: ProviderRef | null
  readonly at: Instant
  readonly amount: Money | null
  /** `existence`: one side does not have the object. */
  readonly field: ComparedField | 'customer' | 'existence'
  readonly log: ComparedValue
  readonly provider: ComparedValue
  /** The event that the value of the log is from. Null if the log does not have the object. */
  readonly eventId: string | null
}

export interface Comparison {
  readonly differences: readonly Difference[]
  /** The number of objects that at least one side has and should have, by kind. */
  readonly compared: Readonly<Record<ComparedKind, number>>
}

/** Whether an object is in the months and the currency of the report. */
export type Scope = (record: Pick<LogRecord, 'at' | 'until' | 'values'>) => boolean

/** Refunds and disputes have no customer of their own: their payment has one. */
const withCustomer: readonly ComparedKind[] = ['payment', 'credit note', 'subscription']

type Found = Pick<Difference, 'field' | 'log' | 'provider' | 'eventId'>

/**
 * Compares both sides, object by object. Amounts compare as integer minor units. An object counts
 * if either side has it in scope, so that a difference does not move the object out of the report.
 */
export function compare(
  log: LogSide,
  provider: readonly ProviderRecord[],
  isInScope: Scope = () => true,
): Comparison {
  const found = pairsOf(log, provider).map((pair) => ({ pair, rows: foundIn(pair, log) }))
  const refunds = refundedByIntent(log)
  // A refund that differs explains the refunded amount of its payment.
  const explained = new Set(
    found.flatMap(({ pair, rows }) => (rows.length > 0 ? paymentsOf(pair) : [])),
  )
  const userOf = ownersOf(log)
  const compared = Object.fromEntries(comparedKinds.map((kind) => [kind, 0])) as Record<
    ComparedKind,
    number
  >
  const differences: Difference[] = []
  for (const { pair, rows } of found) {
    const sides = [pair.log, pair.provider].filter((side) => side !== null)
    if (!sides.some(isInScope)) continue
    compared[(pair.log ?? pair.provider).kind] += 1
    const isExplained = explained.has(idAtProvider(pair.log?.paymentRef ?? null))
    const other = isExplained ? null : otherRefunded(pair, refunds)
    const all =
      other === null || pair.log === null
        ? rows
        : [...rows, { field: 'refunded' as const, ...other, eventId: pair.log.eventId }]
    differences.push(...all.map((row) => ({ ...describe(pair, log, userOf), ...row })))
  }
  return { differences, compared }
}

/** What the log says about the objects of one provider. A log can have objects of several. */
export function ofProvider({ records, customers }: LogSide, provider: string): LogSide {
  const isOwn = (ref: ProviderRef) => providerOf(ref) === provider
  const linked = [...customers].map(
    ([userId, { customerRefs, ...of }]) =>
      [userId, { ...of, customerRefs: customerRefs.filter(isOwn) }] as const,
  )
  return {
    records: new Map([...records].filter(([ref]) => isOwn(ref))),
    customers: new Map(linked.filter(([, { customerRefs }]) => customerRefs.length > 0)),
  }
}

/** The differences of a pair, without the refunded amount of a payment. */
function foundIn({ log, provider }: Pair, { customers }: LogSide): readonly Found[] {
  if (log === null) return [{ ...existence, log: 'missing', provider: 'exists', eventId: null }]
  const { eventId } = log
  if (provider === null) return [{ ...existence, log: 'exists', provider: 'missing', eventId }]

  const rows: Found[] = []
  const linked = customers.get(log.userId)
  const customer = provider.customerRefs.find(
    (each) => linked?.customerRefs.includes(each) !== true,
  )
  if (customer !== undefined && withCustomer.includes(log.kind))
    rows.push({
      field: 'customer',
      log: idAtProvider(linked?.customerRefs.at(-1) ?? null),
      provider: idAtProvider(customer),
      eventId: linked?.eventId ?? null,
    })
  const fields: readonly { readonly name: ComparedField; readonly unless?: ComparedField }[] =
    comparedFields[log.kind]
  for (const { name, unless } of fields) {
    const [inLog, atProvider] = [log.values[name], provider.values[name]]
    if (inLog === undefined || atProvider === undefined || areEqual(inLog, atProvider)) continue
    if (rows.some(({ field }) => field === unless)) continue
    rows.push({
      field: name,
      log: inLog,
      provider: atProvider,
      eventId: log.eventIds[name] ?? eventId,
    })
  }
  return rows
}

const existence = { field: 'existence' } as const

/** The currency is a field of its own. */
function areEqual(a: ComparedValue, b: ComparedValue): boolean {
  return minorUnits(a) === minorUnits(b)
}

function minorUnits(value: ComparedValue) {
  return typeof value === 'object' && value !== null ? value.amount : value
}

/** The payments of a refund, by either side. */
function paymentsOf({ log, provider }: Pair): readonly ComparedValue[] {
  return [log, provider].flatMap((side) =>
    side?.kind === 'refund' && side.values.payment !== undefined ? [side.values.payment] : [],
  )
}

function ownersOf({ customers }: LogSide): ReadonlyMap<ProviderRef, string> {
  return new Map(
    [...customers].flatMap(([userId, { customerRefs }]) =>
      customerRefs.map((customer) => [customer, userId] as const),
    ),
  )
}

/** The identity of an object: by the log, if the log has it. */
function describe(
  { log, provider }: Pair,
  { customers }: LogSide,
  userOf: ReadonlyMap<ProviderRef, string>,
) {
  const { kind, id, at, amount } = log ?? provider
  const customer = provider?.customerRefs[0] ?? null
  const userId = log?.userId ?? (customer && userOf.get(customer)) ?? null
  const linked = customers.get(userId ?? '')?.customerRefs.at(-1) ?? null
  return { kind, id, at, amount, userId, customerRef: customer ?? linked }
}
