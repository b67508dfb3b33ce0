import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { personWith, noProfileColumns, profileColumns } from '#projections/shared/person-columns'
import type { CustomerRow } from './rows.ts'

/** No page of purchases shows anything about verifications. */
export const purchaseCustomers = eventConsumer({
  name: 'purchases: customers',
  concernedBy: ['person', 'access'],
  ignores: ['EmailVerified', 'EmailClaimDropped'],
})

export type FoldedAccountEvent = Extract<DomainEvent, { type: FoldedBy<typeof purchaseCustomers> }>

/** The customer after an event of the account. `before` is undefined until AccountOpened. */
export function foldCustomer(
  before: CustomerRow | undefined,
  event: RecordedEvent<FoldedAccountEvent>,
): CustomerRow {
  if (event.type === 'AccountOpened')
    return before ?? { user_id: event.data.userId, ...personWith(event.data.email), blocked: false }
  if (!before)
    throw new DamagedHistory(
      `User ${streamOwner(event.stream)} has no AccountOpened before this event. Run 'billing events verify'.`,
    )

  switch (event.type) {
    case 'CompanyProfileCompleted':
    case 'ProfileUpdated':
      return { ...before, ...profileColumns(event.data) }
    case 'ProfileDiscarded':
      return { ...before, ...noProfileColumns }
    case 'SecondaryEmailSet':
      return { ...before, secondary_email: event.data.email }
    case 'SecondaryEmailRemoved':
      return { ...before, secondary_email: null }
    case 'AccountBlocked':
      return { ...before, blocked: true }
    case 'AccountUnblocked':
      return { ...before, blocked: false }
    case 'PersonalDataErased':
      return { ...before, ...personWith(erasedValue) }
    default:
      return unreachable(event)
  }
}
