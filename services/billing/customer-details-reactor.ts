import { isDeepStrictEqual } from 'node:util'
import { accountEvents, type AccountEvent } from '#contracts/events/account'
import { parseUserId, type UserId } from '#contracts/ids'
import { accountDecider, type AccountState } from '#services/accounts/account-decider'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { accountStream, streamOwner } from '#services/foundation/stream-names'
import type { CustomerDetails, PaymentProvider } from '#services/payments/payment-provider'
import { defineReactor, type EventOf, type Reactor } from '#services/reactors/reactor'
import type { Billing } from './billing-service.ts'
import { customerDetailsOf } from './customer-details.ts'

const customerDetails = eventConsumer({
  name: 'customer details',
  concernedBy: ['person', 'customer'],
  ignores: [
    'AccountOpened',
    'EmailVerified',
    'SecondaryEmailSet',
    'SecondaryEmailRemoved',
    'EmailClaimDropped',
    'BillingDetailsChanged',
    'PaymentMethodChanged',
  ],
})

type Field = keyof CustomerDetails
const fields = ['email', 'name', 'phone', 'address'] as const satisfies readonly Field[]

interface CustomerDetailsParts {
  readonly billing: Pick<Billing, 'customerRefOf'>
  readonly provider: Pick<PaymentProvider, 'updateCustomer'>
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
}

/**
 * Changes the customer at the provider as the profile changes, so that the next invoice names the
 * present company. An erasure removes the details; issued invoices keep theirs. The fields that the
 * event changed get their present values: the customer can have entered the other fields on the
 * provider's page. A profile that changes during the call is written again, so an older change that
 * comes late overwrites no newer one.
 */
export function customerDetailsReactor(parts: CustomerDetailsParts): Reactor {
  return defineReactor({
    name: 'customer-details',
    handles: [customerDetails],
    effect: (event) => updateCustomer(event, parts),
  })
}

async function updateCustomer(
  event: EventOf<FoldedBy<typeof customerDetails>>,
  { billing, provider, store, codec }: CustomerDetailsParts,
): Promise<void> {
  const userId = parseUserId(streamOwner(event.stream))
  const customerRef = await billing.customerRefOf(userId)
  // A customer that is created later has the present details.
  if (customerRef === null) return
  let history = await accountHistory(userId, { store, codec })
  const changed = changedFields(event, history)
  if (changed.length === 0) return
  for (;;) {
    const details = customerDetailsOf(fold(history))
    await provider.updateCustomer(
      customerRef,
      Object.fromEntries(changed.map((field) => [field, details[field]])),
    )
    const after = await accountHistory(userId, { store, codec })
    if (isDeepStrictEqual(customerDetailsOf(fold(after)), details)) return
    history = after
  }
}

/** All fields for a new customer: the profile can have changed while it was created. */
function changedFields(
  event: EventOf<FoldedBy<typeof customerDetails>>,
  history: readonly (DecodedEvent & AccountEvent)[],
): readonly Field[] {
  if (event.type === 'PaymentCustomerLinked') return fields
  const before = customerDetailsOf(
    fold(history.filter(({ revision }) => revision < event.revision)),
  )
  const after = customerDetailsOf(
    fold(history.filter(({ revision }) => revision <= event.revision)),
  )
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

async function accountHistory(
  userId: UserId,
  { store, codec }: Pick<CustomerDetailsParts, 'store' | 'codec'>,
): Promise<readonly (DecodedEvent & AccountEvent)[]> {
  const events = await codec.decodeStream(await store.readStream(accountStream(userId)))
  return events.filter((event): event is DecodedEvent & AccountEvent =>
    Object.hasOwn(accountEvents, event.type),
  )
}

function fold(history: readonly AccountEvent[]): AccountState {
  return history.reduce<AccountState>(accountDecider.evolve, accountDecider.initialState)
}
