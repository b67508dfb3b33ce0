import type { AccountEvent, CompanyProfile } from '#contracts/events/account'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import type { CustomerRow } from './rows.ts'

/** The purchases page shows nothing about sign-ins. */
export const ignoredAccountTypes = [
  'CodeRequested',
  'CodeRefused',
  'EmailVerified',
  'SignedIn',
  'SignedOut',
] as const

export type FoldedAccountEvent = Exclude<
  AccountEvent,
  { type: (typeof ignoredAccountTypes)[number] }
>

/** The customer after an event of the account. `before` is undefined until AccountOpened. */
export function foldCustomer(
  before: CustomerRow | undefined,
  event: RecordedEvent<FoldedAccountEvent>,
): CustomerRow {
  if (event.type === 'AccountOpened')
    return before ?? newCustomer(event.data.userId, event.data.email)
  if (!before)
    throw new Error(`User ${streamOwner(event.stream)} has no AccountOpened before this event.`)

  switch (event.type) {
    case 'CompanyProfileCompleted':
    case 'ProfileUpdated':
      return { ...before, ...profileColumns(event.data) }
    case 'PersonalDataErased':
      return newCustomer(before.user_id, erasedValue)
    default:
      return unreachable(event)
  }
}

function newCustomer(userId: string, email: string): CustomerRow {
  return {
    user_id: userId,
    email,
    secondary_email: null,
    is_primary_email_active: true,
    full_name: null,
    company_name: null,
    domain: null,
    website_url: null,
    address: null,
    city: null,
    state: null,
    zipcode: null,
    support_email: null,
    support_phone: null,
  }
}

function profileColumns(profile: CompanyProfile) {
  return {
    full_name: profile.fullName,
    company_name: profile.companyName,
    domain: profile.domain,
    website_url: profile.websiteUrl ?? null,
    address: profile.address,
    city: profile.city ?? null,
    state: profile.state,
    zipcode: profile.zipcode,
    support_email: profile.supportEmail,
    support_phone: profile.supportPhone,
  }
}
