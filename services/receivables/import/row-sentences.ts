import type { RefusalCode } from '#contracts/receivables/refusals'

/** Sentences of refused rows, without amounts: the import keeps the code alone. */
const sentences: Partial<Readonly<Record<RefusalCode, string>>> = {
  'not-found': 'The chosen client does not exist any more. Choose another one.',
  erased:
    "The client's personal data was erased, so it gets no new invoice. Choose another client.",
  'due-before-issue': 'The due date is before the issue date. Correct one of them.',
  'currency-differs':
    'The invoice is known in another currency, which never changes. Correct the currency, or use another number.',
  'open-above-amount': 'More is open than the amount of the invoice. Correct one of them.',
  'open-rose':
    'More is open than before. Confirm that a payment went back, or correct the open amount.',
  'nothing-to-reverse':
    'More is open than before, and no recorded payment can have gone back. Correct the open amount.',
  'below-paid':
    'More than this amount is already paid or credited. Correct the amount, or reverse a payment first.',
  ended: 'The invoice is written off or canceled. Reopen it first.',
  'unclear-client': 'This could be one of several clients. Choose the client.',
  'repeated-number': 'Another row of the file has the same client and invoice number.',
}

export function rowSentence(code: RefusalCode): string {
  return sentences[code] ?? 'The row could not be stored. Check it, and import it again.'
}
