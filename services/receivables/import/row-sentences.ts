import type { RefusalCode } from '#contracts/receivables/refusals'
import { refusalSentence } from '../refusal-answers.ts'

/** The sentence of a refused row, without amounts: the import keeps the code alone. */
export function rowSentence(code: RefusalCode): string {
  switch (code) {
    case 'not-found':
      return 'The chosen client does not exist any more. Choose another one.'
    case 'erased':
      return "The client's personal data was erased, so it gets no new invoice. Choose another client."
    case 'open-rose':
      return 'More is open than before. Confirm that a payment went back, or correct the open amount.'
    case 'below-paid':
      return 'More than this amount is already paid or credited. Correct the amount, or reverse a payment first.'
    case 'ended':
      return 'The invoice is written off or canceled. Reopen it first.'
    case 'unclear-client':
      return 'This could be one of several clients. Choose the client.'
    case 'repeated-number':
      return 'Another row of the file has the same client and invoice number.'
    case 'due-before-issue':
    case 'currency-differs':
    case 'open-above-amount':
    case 'nothing-to-reverse':
      return refusalSentence({ kind: code }, null)
    default:
      return 'The row could not be stored. Check it, and import it again.'
  }
}
