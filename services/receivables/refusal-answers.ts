import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { RefusalCode } from '#contracts/receivables/refusals'
import { unreachable } from '#services/foundation/decider'
import { HttpError } from '#services/http/http-error'
import type { ClientRefusal } from './client-decider.ts'
import type { ReceivableRefusal } from './receivable-commands.ts'

export type Refusal = ClientRefusal | ReceivableRefusal

/** Every refusal is a code of the API. A new refusal without a code does not compile. */
type Code = RefusalCode & Refusal['kind']

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The error answer: what happened, and what to do. `currency` is that of the amounts. */
export function refusedAct(refusal: Refusal, currency: string | null): HttpError {
  const code: Code = refusal.kind
  return new HttpError(code === 'not-found' ? 404 : 409, {
    error: refusalSentence(refusal, currency),
    code,
  })
}

/** What happened, and what to do. */
export function refusalSentence(refusal: Refusal, currency: string | null): string {
  const money = (minor: number) =>
    currency === null ? 'less' : formatMoney(toMajorUnits(minor, currency), currency)
  switch (refusal.kind) {
    case 'not-found':
      return 'There is no such client or invoice. Refresh the page.'
    case 'number-taken':
      return 'This client already has an invoice with this number. Use another number, or change that invoice.'
    case 'changed-meanwhile':
      return 'The details were changed in another window meanwhile, so nothing was saved. Compare them with your changes, then save again.'
    case 'open-changed':
      return `${money(refusal.open)} is open now, because the invoice was changed meanwhile. Nothing was recorded. Check the amount and send it again.`
    case 'above-open':
      return `Only ${money(refusal.open)} was open then. Enter this amount at most, or record the rest as a credit of the client.`
    case 'due-before-issue':
      return 'The due date is before the issue date. Correct one of them.'
    case 'in-the-future':
      return 'The date is in the future. Enter today or an earlier day.'
    case 'before-since':
      return `The invoice counts from ${days.format(new Date(refusal.since))} on. Enter that day or a later one.`
    case 'below-paid':
      return 'More than this amount is already paid or credited, or the invoice was reduced before the new issue date. Enter a higher amount or an earlier date, or reverse a payment first.'
    case 'unknown-payment':
      return 'The invoice has no such payment. Refresh the page.'
    case 'payment-reversed':
      return 'The payment was already reversed. Refresh the page.'
    case 'paid-in-portal':
      return 'This payment was made on the payment page, so it cannot be changed here. Refund it in your account at the payment provider: the refund appears here by itself.'
    case 'has-credit':
      return refusal.isUsed
        ? 'A part of this payment is a credit of the client that was used or paid back, so it cannot be reversed. Take the credit back on the invoice that it paid. If it was paid back, add an invoice for what is owed again.'
        : 'A part of this payment is a credit of the client, so it cannot be corrected. Reverse it, then record it again.'
    case 'before-payment':
      return 'The money cannot go back before it came. Enter the day of the payment or a later one.'
    case 'nothing-open':
      return 'Nothing of this invoice is open.'
    case 'is-reduced':
      return 'Payments, credits or credit memos reduce this invoice. Reverse the payments first, or write the rest off.'
    case 'ended':
      return `The invoice is ${refusal.how === 'canceled' ? 'canceled' : 'written off'}. Reopen it first.`
    case 'not-ended':
      return 'The invoice is neither written off nor canceled.'
    case 'in-the-past':
      return 'The date is in the past. Enter a later day.'
    case 'too-far':
      return 'A promise is for 30 days ahead at most. Enter an earlier day, or put the invoice on hold.'
    case 'erased':
      return "The client's personal data was erased, so its details cannot be changed."
    case 'no-phone':
      return 'The client has no phone number. Add the number first.'
    case 'unknown-credit':
      return 'The client has no such credit. Refresh the page.'
    case 'other-currency':
      return 'The credit has another currency than the invoice. A credit pays invoices of its own currency.'
    case 'above-credit':
      return `Only ${money(refusal.left)} is left of the credit. Enter this amount at most.`
    case 'credit-used':
      return 'A part of the credit was used or paid back. Take it back on the invoice that it paid.'
    case 'in-checkout':
      return 'The client is paying this invoice right now. Wait until the payment is made or its page is closed.'
    case 'unknown-checkout':
      return 'There is no such payment. Open the link again.'
    case 'currency-differs':
      return 'The invoice is known in another currency, which never changes. Correct the currency, or use another number.'
    case 'open-above-amount':
      return 'More is open than the amount of the invoice. Correct one of them.'
    case 'open-rose':
      return `More is open than before: ${money(refusal.open)} was open. Confirm that a payment went back, or correct the open amount.`
    case 'nothing-to-reverse':
      return 'More is open than before, and no recorded payment can have gone back. Correct the open amount.'
    default:
      return unreachable(refusal)
  }
}
