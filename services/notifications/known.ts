import { accountEvents, type AccountEvent } from '#contracts/events/account'
import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Receipt } from '#contracts/receipts'
import { accountDecider, type AccountState } from '#services/accounts/account-decider'
import { initialBillingState, type BillingState } from '#services/billing/billing-state'
import { evolveBilling } from '#services/billing/evolve-billing'
import type { HandledEvent } from '#services/commands/decision-events'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import { failedInvoices, type FailedInvoice } from './dunning/unpaid-invoices.ts'

/** What is known about a user when a message is about to be sent. */
export interface Known {
  readonly account: AccountState
  /** The account before the event, if the event is in its stream; otherwise as `account`. */
  readonly accountBefore: AccountState
  readonly billing: BillingState
  /** The billing before the event, if the event is in its stream; otherwise as `billing`. */
  readonly billingBefore: BillingState
  readonly failedInvoices: readonly FailedInvoice[]
  /** Of the payment that the event is about; otherwise null. */
  readonly receipt: Receipt | null
  /** The address for the last mail after an erasure. */
  readonly farewell: string | null
  /** The time of the business clock. */
  readonly at: Instant
}

export interface HistoryParts {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
}

export type BillingHistory = readonly HandledEvent<BillingEvent>[]
type AccountHistory = readonly HandledEvent<AccountEvent>[]

/** The events of the customer's billing stream. @throws EventStoreUnavailable, UnreadableEvent */
export function billingHistory(userId: UserId, parts: HistoryParts): Promise<BillingHistory> {
  return historyOf(billingStream(userId), isBilling, parts)
}

/** The events of the account's stream. @throws EventStoreUnavailable, UnreadableEvent */
export function accountHistory(userId: UserId, parts: HistoryParts): Promise<AccountHistory> {
  return historyOf(accountStream(userId), isAccount, parts)
}

const isBilling = (event: DecodedEvent): event is DecodedEvent & HandledEvent<BillingEvent> =>
  Object.hasOwn(billingEvents, event.type)
const isAccount = (event: DecodedEvent): event is DecodedEvent & HandledEvent<AccountEvent> =>
  Object.hasOwn(accountEvents, event.type)

async function historyOf<Event extends DecodedEvent>(
  stream: string,
  isOfStream: (event: DecodedEvent) => event is Event,
  { store, codec }: HistoryParts,
): Promise<readonly Event[]> {
  return (await codec.decodeStream(await store.readStream(stream))).filter(isOfStream)
}

/** Folds both streams of a user, now and before `event`. */
export async function foldKnown(
  userId: UserId,
  event: { readonly stream: string; readonly revision: number },
  parts: HistoryParts,
): Promise<Omit<Known, 'receipt' | 'farewell' | 'at'>> {
  const [account, billing] = await Promise.all([
    accountHistory(userId, parts),
    billingHistory(userId, parts),
  ])
  const isBefore = (each: { readonly stream: string; readonly revision: number }) =>
    each.stream !== event.stream || each.revision < event.revision
  return {
    account: foldAccount(account),
    accountBefore: foldAccount(account.filter(isBefore)),
    billing: foldBilling(billing),
    billingBefore: foldBilling(billing.filter(isBefore)),
    failedInvoices: failedInvoices(billing),
  }
}

export function foldAccount(history: AccountHistory): AccountState {
  return history.reduce<AccountState>(accountDecider.evolve, accountDecider.initialState)
}

export function foldBilling(history: BillingHistory): BillingState {
  return history.reduce<BillingState>(evolveBilling, initialBillingState)
}
