/**
 * The codes of refused changes: the field `code` of an error answer (`contracts/errors.ts`). The
 * field `error` has the sentence for the merchant. A page compares codes, never sentences.
 */
export const refusalCodes = [
  /** 403 or 409: without a plan, or with a blocked account, everything can be read only. */
  'read-only',
  /** 404: there is none, or it belongs to another merchant. */
  'not-found',
  /** 409: the client has an invoice with this number. */
  'number-taken',
  /** 409: the details were changed in another window. Load them again. */
  'changed-meanwhile',
  /** 409: the open amount is not the one that the form showed. Load the invoice again. */
  'open-changed',
  /** 409: more than is open. The surplus becomes a credit only if the request says so. */
  'above-open',
  'due-before-issue',
  'in-the-future',
  /** 409: before the day from which the invoice counts. */
  'before-since',
  /** 409: the new amount or issue date would be less than what is paid. */
  'below-paid',
  'unknown-payment',
  'payment-reversed',
  /** 409: the provider's account of the merchant says what becomes of the payment. */
  'paid-in-portal',
  /** 409: a part of the payment's credit was used or paid back. */
  'has-credit',
  'before-payment',
  'nothing-open',
  'is-reduced',
  /** 409: it is written off or canceled. Reopen it first. */
  'ended',
  'not-ended',
  'in-the-past',
  'too-far',
  'erased',
  'no-phone',
  'unknown-credit',
  'other-currency',
  'above-credit',
  'credit-used',
  /** 409: the invoice is in another checkout of the portal. */
  'in-checkout',
  'unknown-checkout',
  /** A row of an import, or an invoice of a program. */
  'currency-differs',
  'open-above-amount',
  'open-rose',
  'nothing-to-reverse',
  /** A client could be one of several. The row has to name it. */
  'unclear-client',
  /** Another row of the import has the same client and invoice number. */
  'repeated-number',
  /** 409: the import is finished, or it is undone. */
  'import-over',
  /** 409: more rows than the import was started with. */
  'more-rows',
  /** 409: the import knows the row with another invoice number. */
  'row-differs',
  /** 409: rows are missing. */
  'rows-missing',
  /** 409: something happened to an invoice of the import. It cannot be undone. */
  'import-used',
  /** 409: 20 keys are in use. */
  'too-many-keys',
  /** 409: what is wrong with a schedule of reminders. */
  'no-step',
  'too-many-steps',
  'step-out-of-range',
  'same-step',
  'no-sending-day',
  'wrong-sending-time',
  'wrong-weekly-limit',
  'wrong-repeat',
  'too-many-days-off',
  /** 409: the key was made by an earlier answer. It is shown once only. */
  'key-was-shown',
  /** 409: an administrator approves a sender name that the merchant does not have any more. */
  'other-sender-name',
  /** 409: the account at Stripe was connected or disconnected in another window. */
  'other-account',
] as const

export type RefusalCode = (typeof refusalCodes)[number]
