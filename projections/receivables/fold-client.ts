import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ClientDetails } from '#contracts/events/client'
import { emailKey, nameKey, numberKey } from '#contracts/receivables/client-key'
import { searchText } from '#projections/listing/search-text'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { FoldedClientEvent } from './consumer.ts'
import type { ClientRow } from './rows.ts'

/**
 * The client after an event of its stream. `before` is undefined until ClientAdded. Undefined for a
 * client that was erased before it was added.
 */
export function foldClient(
  before: ClientRow | undefined,
  event: RecordedEvent<
    Exclude<FoldedClientEvent, { readonly data: { readonly checkoutId: string } }>
  >,
): ClientRow | undefined {
  if (event.type === 'ClientAdded') {
    if (before) return before
    const { clientId, merchantId, details } = event.data
    return {
      client_id: clientId,
      merchant_id: merchantId,
      ...columnsOf(details),
      may_text: false,
      mail_bounced: false,
      text_bounced: false,
      is_held: false,
      hold_until: null,
      released_at: null,
      is_erased: false,
      is_withdrawn: false,
      credits: {},
      has_credit: false,
      added_at: new Date(event.metadata.occurredAt),
    }
  }
  if (!before && event.type === 'ClientErased') return undefined
  if (!before)
    throw new DamagedHistory(
      `The stream ${event.stream} has no ClientAdded before this event. Run 'billing events verify'.`,
    )
  switch (event.type) {
    case 'ClientChanged': {
      const { before: former, after } = event.data
      return {
        ...before,
        ...columnsOf(after),
        mail_bounced: before.mail_bounced && former.email === after.email,
        text_bounced: before.text_bounced && former.phone === after.phone,
      }
    }
    case 'ClientAddressBounced':
      return event.data.channel === 'mail'
        ? { ...before, mail_bounced: true }
        : { ...before, text_bounced: true }
    case 'TextConsentRecorded':
      return { ...before, may_text: true }
    case 'TextConsentWithdrawn':
      return { ...before, may_text: false }
    case 'ClientHeld':
      return { ...before, is_held: true, hold_until: event.data.until }
    case 'ClientReleased':
      return {
        ...before,
        is_held: false,
        hold_until: null,
        released_at: new Date(event.metadata.occurredAt),
      }
    case 'CreditAdded':
    case 'CreditRestored':
      return withCredit(before, event.data, event.data.amount)
    case 'CreditApplied':
    case 'CreditReturned':
    case 'CreditCanceled':
      return withCredit(before, event.data, -event.data.amount)
    case 'CreditReversed':
      return withCredit(before, event.data, -event.data.amount, event.data.short)
    case 'ClientWithdrawn':
      return { ...before, is_withdrawn: true }
    case 'ClientErased':
      return {
        ...before,
        ...columnsOf(erasedDetails(before)),
        ...withoutKeys,
        // Erased addresses are equal, so a rebuild cannot compare them.
        mail_bounced: false,
        text_bounced: false,
        is_erased: true,
      }
    default:
      return unreachable(event)
  }
}

/** No import joins an erased client. */
const withoutKeys = { name_key: '', number_key: null, email_key: null }

type Details = Pick<ClientDetails, 'name' | 'number' | 'email' | 'phone' | 'state' | 'timeZone'>

function columnsOf({ name, number, email, phone, state, timeZone }: Details) {
  return {
    name,
    name_sort: sortable(name),
    number,
    email,
    phone,
    state_name: state,
    time_zone: timeZone,
    search_text: searchText([name, number, email]),
    name_key: nameKey(name),
    number_key: number === null ? null : numberKey(number),
    email_key: email === null ? null : emailKey(email),
  }
}

/** As a rebuild folds them: absent values stay absent. */
function erasedDetails({ number, email, phone, state_name, time_zone }: ClientRow): Details {
  return {
    name: erasedValue,
    number: number === null ? null : erasedValue,
    email: email === null ? null : erasedValue,
    phone: phone === null ? null : erasedValue,
    state: state_name,
    timeZone: time_zone,
  }
}

/** Capital and small letters sort together. */
function sortable(text: string): string {
  return text.toLowerCase()
}

/** Credits that are used up leave the row, unless they owe a part of a refund: `short`. */
function withCredit(
  client: ClientRow,
  { creditId, currency }: { readonly creditId: string; readonly currency: string },
  change: number,
  short = client.credits[creditId]?.short ?? 0,
): ClientRow {
  const { [creditId]: credit, ...others } = client.credits
  const left = (credit?.left ?? 0) + change
  const isOver = left === 0 && short === 0
  const kept = short === 0 ? { currency, left } : { currency, left, short }
  const credits = isOver ? others : { ...others, [creditId]: kept }
  return {
    ...client,
    credits,
    has_credit: Object.values(credits).some((each) => each.left > 0 || each.short !== undefined),
  }
}
