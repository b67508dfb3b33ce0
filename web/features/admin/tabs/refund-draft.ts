import { currencyExponent, toMinorUnits } from '#contracts/currency'
import type { RefundablePayment } from '#contracts/admin/refund-payment'
import { codeInWords } from '#contracts/code-in-words'
import { refundReasons, type RefundReason } from '#contracts/refund-reasons'
import { formatMoney } from '../../../lib/money.ts'

export type Rest = NonNullable<RefundablePayment['rest']>

/** What is typed into the form of a refund. */
export interface RefundDraft {
  /** Null until it is edited: all that is left. */
  readonly amount: string | null
  /** The reason in words; empty before one is chosen. */
  readonly reason: string
  readonly note: string
}

export const emptyDraft: RefundDraft = { amount: null, reason: '', note: '' }

/** The problem of each field, as a sentence. */
export type DraftProblems = Partial<Record<keyof RefundDraft, string>>

export interface EnteredRefund {
  /** Decimal major units. */
  readonly amount: number
  readonly reason: RefundReason
  /** Empty without a note. */
  readonly note: string
}

/** As in the contract of the call. */
const longestNote = 500

/** With the decimals of the currency, as a person writes it: `9.00`. */
export const amountOf = ({ amount }: RefundDraft, { left, currency }: Rest) =>
  amount ?? left.toFixed(currencyExponent(currency))

export function checkDraft(
  draft: RefundDraft,
  rest: Rest,
):
  | { readonly entered: EnteredRefund; readonly problems?: undefined }
  | { readonly problems: DraftProblems } {
  const amount = amountProblem(amountOf(draft, rest), rest)
  const note = draft.note.trim()
  const reason = refundReasons.find((each) => codeInWords(each) === draft.reason)
  const problems: DraftProblems = {
    ...(amount === null ? {} : { amount }),
    ...(reason === undefined ? { reason: 'Choose a reason.' } : {}),
    ...(note.length > longestNote
      ? { note: `The note has ${longestNote} characters at most.` }
      : {}),
  }
  return reason === undefined || Object.keys(problems).length > 0
    ? { problems }
    : { entered: { amount: Number(amountOf(draft, rest)), reason, note } }
}

/** Why the text is no amount that can be refunded. */
function amountProblem(text: string, { currency, left }: Rest): string | null {
  const upTo = `Enter an amount up to ${formatMoney(left, currency)}.`
  if (!/^\s*\d+(\.\d*)?\s*$/.test(text))
    return `Enter digits, such as ${left.toFixed(currencyExponent(currency))}. ${upTo}`
  const amount = Number(text)
  if (amount <= 0) return `Enter an amount above 0. ${upTo}`
  if (toMinorUnits(amount, currency) === null)
    return `The amount has more decimals than ${currency.toUpperCase()}. ${upTo}`
  return amount > left ? upTo : null
}
