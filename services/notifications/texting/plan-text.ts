import { brand } from '#contracts/brand/brand'
import type { TextFailure } from '#contracts/events/notification'
import type { Money } from '#contracts/money'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from '../known.ts'
import type { Links } from '../links.ts'
import { whyNotUnpaid } from '../plan-reminder-mails.ts'
import { renderText } from '../render-text.ts'
import { textNumberOf } from '#services/sms/text-number'
import { nextTextingTime } from './texting-hours.ts'

/** What becomes of the text that an event causes. `reason` continues a sentence. */
type PlannedText =
  | { readonly kind: 'send'; readonly to: string; readonly body: string }
  | { readonly kind: 'later'; readonly to: string; readonly dueAt: Date }
  | {
      readonly kind: 'unsent'
      readonly to: string | null
      readonly why: Extract<TextFailure, 'outdated' | 'no-number' | 'not-allowed'>
      readonly reason: string
    }

/**
 * The text about an unpaid invoice. Null if the account has no profile: there is no number.
 * `countries` are the countries of TEXT_COUNTRIES. Pure.
 */
export function planText(
  event: EventOf<'DunningReminderDue'>,
  known: Pick<Known, 'account' | 'failedInvoices'>,
  countries: ReadonlySet<string>,
  now: Date,
  links: Links,
): PlannedText | null {
  if (known.account.kind === 'erased')
    return { kind: 'unsent', to: null, why: 'outdated', reason: 'the account was erased' }
  const profile = known.account.kind === 'open' ? known.account.profile : null
  if (profile === null) return null
  const outdated = whyNotUnpaid(event, { ...known, at: now.toISOString() })
  const number = textNumberOf(profile.supportPhone, countries)
  const to = number.kind === 'none' ? null : number.to
  if (outdated !== null) return { kind: 'unsent', to, why: 'outdated', reason: outdated }
  // The text only asks for another card. The mail says when the next attempt is.
  const { invoiceRef } = event.data
  const invoice = known.failedInvoices.find((each) => each.invoiceRef === invoiceRef)
  if (invoice !== undefined && invoice.newMethod !== null)
    return { kind: 'unsent', to, why: 'outdated', reason: 'the card was replaced' }
  if (to === null)
    return { kind: 'unsent', to, why: 'no-number', reason: 'libphonenumber does not accept it' }
  if (number.kind === 'refused')
    return { kind: 'unsent', to, why: 'not-allowed', reason: number.reason }
  const dueAt = nextTextingTime(profile.state, now)
  if (dueAt > now) return { kind: 'later', to, dueAt }
  return { kind: 'send', to, body: bodyOf(event, invoice?.open ?? event.data.due, links) }
}

function bodyOf(
  { data: { day } }: EventOf<'DunningReminderDue'>,
  due: Money,
  links: Links,
): string {
  return renderText({ kind: 'payment-failed', day, due, url: links.updateCard }, { brand })
}
