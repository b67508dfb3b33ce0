import { createHash } from 'node:crypto'
import type { Charge, PaymentMethod } from '../store/stripe-objects.ts'

/** The issuer's reason for a declined charge. */
export interface Decline {
  readonly code: 'card_declined' | 'expired_card' | 'processing_error'
  readonly declineCode: string
  readonly message: string
}

export interface TestCard {
  readonly number: string
  readonly brand: 'visa' | 'mastercard' | 'amex'
  /** The outcome, for the list on the page; null hides the card from the list. */
  readonly description: string | null
  readonly atCheckout: Decline | null
  readonly later: Decline | null
  /** What follows a paid charge; nothing if it is missing. */
  readonly refund?: RefundCourse
  readonly dispute?: DisputeCourse
  /** A checkout of a payment is complete at once, and this is its outcome a day later. */
  readonly delayed?: 'succeeded' | 'failed'
}

/**
 * A refund that starts pending and succeeds later, one that succeeds and fails later, or one that
 * waits for the customer.
 */
type RefundCourse = 'succeeds_later' | 'fails_later' | 'requires_action'
export type DisputeCourse = 'fraudulent' | 'inquiry'

const declined: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
}
const insufficient: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
}
const expired: Decline = {
  code: 'expired_card',
  declineCode: 'expired_card',
  message: 'Your card has expired.',
}
const notATestCard: Decline = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. Your request was in test mode, but used a non test card.',
}

/** The outcome of a delayed payment without money. */
export const notCollected: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'The payment was not collected.',
}

/** Stripe's published test cards, and three of the sandbox. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', description: 'Pays', atCheckout: null, later: null },
  {
    number: '4000000000000002',
    brand: 'visa',
    description: 'Is declined',
    atCheckout: declined,
    later: declined,
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    description: 'Is accepted, fails later',
    atCheckout: null,
    later: declined,
  },
  {
    number: '4000000000007726',
    brand: 'visa',
    description: 'Pays; its refunds are pending for a day',
    atCheckout: null,
    later: null,
    refund: 'succeeds_later',
  },
  {
    number: '4000000000005126',
    brand: 'visa',
    description: 'Pays; its refunds fail after a day',
    atCheckout: null,
    later: null,
    refund: 'fails_later',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    description: 'Pays; each payment is disputed',
    atCheckout: null,
    later: null,
    dispute: 'fraudulent',
  },
  {
    number: '4000000000001976',
    brand: 'visa',
    description: 'Pays; each payment gets an inquiry',
    atCheckout: null,
    later: null,
    dispute: 'inquiry',
  },
  {
    // Not a test card of Stripe: no card of Stripe leads to a refund with the status
    // requires_action.
    number: '4000000000004335',
    brand: 'visa',
    description: null,
    atCheckout: null,
    later: null,
    refund: 'requires_action',
  },
  {
    // Not test cards of Stripe: they stand for the methods whose outcome comes later, such as bank
    // debits, which the sandbox's form does not have.
    number: '4000000000001778',
    brand: 'visa',
    description: 'Pays after a day',
    atCheckout: null,
    later: null,
    delayed: 'succeeded',
  },
  {
    number: '4000000000006785',
    brand: 'visa',
    description: 'Is accepted, and fails after a day',
    atCheckout: null,
    later: null,
    delayed: 'failed',
  },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    description: null,
    atCheckout: null,
    later: null,
  },
  { number: '378282246310005', brand: 'amex', description: null, atCheckout: null, later: null },
  {
    number: '4000000000009995',
    brand: 'visa',
    description: null,
    atCheckout: insufficient,
    later: insufficient,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    description: null,
    atCheckout: expired,
    later: expired,
  },
]

/** Identifies a card without storing its number. */
export function fingerprintOf(number: string): string {
  return createHash('sha256')
    .update(`sandbox card ${number}`)
    .digest('base64url')
    .replaceAll(/[-_]/g, 'x')
    .slice(0, 16)
}

function cardOf(fingerprint: string | null | undefined): TestCard | undefined {
  return testCards.find(({ number }) => fingerprintOf(number) === fingerprint)
}

/** What follows a charge of this card after the payment. */
export function afterPayment({
  payment_method_details: details,
}: Charge): Pick<TestCard, 'refund' | 'dispute'> {
  return cardOf(details?.card?.fingerprint) ?? {}
}

/**
 * The decline of a charge at the checkout, or later without the card holder; null if the card pays.
 */
export function outcomeOf(method: PaymentMethod, when: 'atCheckout' | 'later'): Decline | null {
  const card = cardOf(method.card?.fingerprint)
  return card === undefined ? notATestCard : card[when]
}

/** The later outcome of a payment; undefined if the card pays at once. */
export function delayOf(method: PaymentMethod): TestCard['delayed'] {
  return cardOf(method.card?.fingerprint)?.delayed
}

export function brandOf(number: string): 'visa' | 'mastercard' | 'amex' | 'unknown' {
  if (number.startsWith('4')) return 'visa'
  if (/^3[47]/.test(number)) return 'amex'
  return /^(5[1-5]|2[2-7])/.test(number) ? 'mastercard' : 'unknown'
}

/** Checks the check digit of a card number (ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}
