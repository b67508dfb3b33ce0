import { unreachable } from '#services/foundation/decider'
import type { PendingStep } from '../reminders/pending-steps.ts'
import type { NotNow } from '../reminders/plan-now.ts'
import type { KnownMerchant } from './known-merchant.ts'

/** Why no reminder of the merchant goes out, and what to do. Null: they go out. */
export function stillness({ settings, merchant, maySend }: KnownMerchant): string | null {
  const forbidden = forbiddenBecause({ settings, merchant, maySend })
  if (forbidden !== null) return forbidden
  return settings.reminders.isOn
    ? null
    : 'Reminders are off, so nothing goes out. Turn them on in the schedule.'
}

/** Why the merchant may send nothing at all, also by hand. Null: it may. */
export function forbiddenBecause({
  settings,
  merchant,
  maySend,
}: Pick<KnownMerchant, 'settings' | 'merchant' | 'maySend'>): string | null {
  if (maySend) return null
  if (merchant.isBlocked)
    return 'Your account is blocked, so nothing goes out. Please contact support.'
  if (settings.reminders.stoppedBecause !== null)
    return 'We have stopped your messages, so nothing goes out. Please contact support.'
  return merchant.plan === 'paused'
    ? 'Your plan is paused, so nothing goes out. Resume it to continue.'
    : 'You have no plan, so nothing goes out. Subscribe to continue.'
}

/** What a step waits for. */
export function waitInWords(waitsFor: PendingStep['waitsFor']): string {
  switch (waitsFor) {
    case 'payment':
      return 'It waits: a payment of the client is on its way. A bank debit takes days.'
    case 'hold':
      return 'It waits for the end of the hold.'
    case 'client-hold':
      return 'It waits for the end of the client’s hold.'
    case 'promise':
      return 'It waits for the promised day.'
    case 'dispute':
      return 'It waits until the dispute is resolved.'
    case null:
      return 'It waits.'
    default:
      return unreachable(waitsFor)
  }
}

function nothingToSay(waitsFor: Extract<NotNow, { kind: 'nothing-to-say' }>['waitsFor']): string {
  switch (waitsFor) {
    case 'payments':
      return 'A payment of the client is on its way, and a bank debit takes days. Wait until it arrives or fails.'
    case 'agreements':
      return 'Each open invoice of this client waits for the end of a hold, a promise or a dispute. End it first.'
    case 'both':
      return 'Each open invoice of this client waits for a payment on its way, or for the end of a hold, a promise or a dispute.'
    case null:
      return 'Nothing of this client is open, so there is nothing to remind of.'
    default:
      return unreachable(waitsFor)
  }
}

/** Why nothing can be sent to the client now, and what to do. */
export function notNowInWords(why: NotNow): string {
  switch (why.kind) {
    case 'message-open':
      return 'A message to this client is being sent. Look at it in a few minutes.'
    case 'nothing-to-say':
      return nothingToSay(why.waitsFor)
    case 'no-channel':
      // A stop is the client's: another address is no way around it.
      return why.mail === 'stopped'
        ? 'This client has stopped your e-mails, and no text can reach it. Only the client can allow messages again.'
        : 'Neither an e-mail nor a text can reach this client. Add an e-mail address, or record consent to texts.'
    case 'one-a-day':
      return 'This client had a message today. Send the next one tomorrow.'
    case 'week-limit':
      return `This client had ${why.limit === 1 ? '1 message' : `${why.limit} messages`} in 7 days, the most that your schedule allows. Send later, or raise the limit in the schedule.`
    case 'merchant-limit':
      return 'You have messaged as many clients today as you may. Send tomorrow.'
    case 'text-hours':
      return 'Only a text can reach this client, and texts go out from 8:00 AM to 8:00 PM in every zone of its state. Send then.'
    default:
      return unreachable(why)
  }
}
