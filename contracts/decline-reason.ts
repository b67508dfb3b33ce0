/*
 * Why a payment failed, in words for the customer. Free of zod, so that a page can use the words
 * without loading a validator.
 */

/** The code of a payment that waits for the card holder: 3-D Secure. */
const needsConfirmation = 'authentication_required'

/**
 * By the provider's code. Source: Stripe's documentation, "Decline codes". A stolen or a lost card
 * has the general sentence: the person who reads it can be the thief.
 */
const sentences: Readonly<Record<string, string>> = {
  [needsConfirmation]: 'Your bank asks you to confirm the payment.',
  insufficient_funds: 'The card has not enough money for the payment.',
  expired_card: 'The card has expired.',
  incorrect_number: 'The card number is wrong.',
  invalid_number: 'The card number is wrong.',
  incorrect_cvc: 'The security code of the card is wrong.',
  invalid_cvc: 'The security code of the card is wrong.',
  incorrect_zip: 'The ZIP code does not belong to the card.',
  card_velocity_exceeded: 'The limit of the card is reached.',
  withdrawal_count_limit_exceeded: 'The limit of the card is reached.',
  card_not_supported: 'The card does not allow this kind of payment.',
  currency_not_supported: 'The card does not allow payments in this currency.',
  transaction_not_allowed: 'The card does not allow this kind of payment.',
  processing_error: 'The bank could not process the payment.',
  issuer_not_available: 'The bank could not be reached.',
  try_again_later: 'The bank could not process the payment.',
}

const general = 'The bank declined the payment.'

/** A sentence. `reason` is the provider's own sentence, for a code without words here. */
export function declineReason(code: string | null, reason: string): string {
  if (code === null) return reason || general
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? general) : general
}

/** Whether the customer has to confirm the payment at the bank. No other means is needed. */
export function needsConfirmationOf(code: string | null): boolean {
  return code === needsConfirmation
}
