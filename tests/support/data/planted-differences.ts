import type { ProviderRef } from '#contracts/events/provider-ref'
import { isPlatformFee, type FinanceEvent } from '#services/finance/finance-event'
import type { Difference } from '#services/finance/reconciliation/compare'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { usd, type BothSides } from './both-sides.ts'

/** A difference between both sides of a customer. */
export interface Plant {
  /** The object, and the field, that the one row of the difference names. */
  readonly id: (n: number) => ProviderRef
  readonly field: Difference['field']
  /** False if the log does not have the object. */
  readonly isInLog?: false
  readonly apply: (side: BothSides, n: number) => BothSides
}

type Part = Exclude<keyof BothSides, 'events'>

const prefixes: Readonly<Record<Part, string>> = {
  invoice: 'in',
  charge: 'in',
  refund: 're',
  creditNote: 'cn',
  dispute: 'dp',
  fee: 'fee',
  subscription: 'sub',
}
const idOf = (part: Part) => (n: number) => refOf(`${prefixes[part]}_${n}`)

function without(type: FinanceEvent['type'], part: Part): Plant {
  return {
    id: idOf(part),
    field: 'existence',
    isInLog: false,
    apply: (side) => ({ ...side, events: side.events.filter((event) => event.type !== type) }),
  }
}

function notAtProvider(...parts: readonly [Part, ...Part[]]): Plant {
  return {
    id: idOf(parts[0]),
    field: 'existence',
    apply: (side) => ({ ...side, ...Object.fromEntries(parts.map((part) => [part, []])) }),
  }
}

function other<P extends Part>(
  part: P,
  field: Difference['field'],
  change: Partial<BothSides[P][number]>,
): Plant {
  return {
    id: idOf(part),
    field,
    apply: (side) => ({ ...side, [part]: side[part].map((each) => ({ ...each, ...change })) }),
  }
}

function otherItem(
  field: Difference['field'],
  change: Partial<NonNullable<BothSides['subscription'][number]['item']>>,
): Plant {
  return {
    id: idOf('subscription'),
    field,
    apply: (side) => ({
      ...side,
      subscription: side.subscription.map((each) => ({
        ...each,
        item: each.item && { ...each.item, ...change },
      })),
    }),
  }
}

function notReturnedInLog(): Plant {
  const { apply } = without('PlatformFeeReturned', 'fee')
  return { id: idOf('fee'), field: 'returned', apply }
}

const unlinked = { customerRef: refOf('cus_of_nobody') } as const

/** One of each kind. */
export const plants = {
  'a payment that the log lacks': without('PaymentSucceeded', 'invoice'),
  'a payment that the provider lacks': notAtProvider('invoice', 'charge'),
  'a charge without an invoice': {
    id: (n) => refOf(`ch_manual_${n}`),
    field: 'existence',
    isInLog: false,
    apply: (side, n) => ({
      ...side,
      charge: side.charge.flatMap((each) => [
        each,
        { ...each, ref: refOf(`ch_manual_${n}`), paymentRef: refOf(`pi_manual_${n}`), refunded: 0 },
      ]),
    }),
  },
  'a payment whose invoice the provider lacks': {
    ...notAtProvider('invoice'),
    field: 'invoice',
  },
  'another customer of an invoice': other('invoice', 'customer', unlinked),
  'another customer of a charge': other('charge', 'customer', unlinked),
  'another status of an invoice': other('invoice', 'status', { status: 'open' }),
  'another currency of an invoice': other('invoice', 'currency', { currency: 'jpy' }),
  'another currency of a charge': other('charge', 'currency', { currency: 'jpy' }),
  'another total of an invoice': other('invoice', 'amount', { total: 3901 }),
  'another tax of an invoice': other('invoice', 'tax', { tax: 1 }),
  'another paid amount of an invoice': other('invoice', 'paid', { paid: 3899 }),
  'another captured amount of a charge': other('charge', 'charged', { captured: 3899 }),
  'another refunded amount of a charge': other('charge', 'refunded', { refunded: 999 }),
  'a refund that the log lacks': without('RefundRecorded', 'refund'),
  'a refund that the provider lacks': notAtProvider('refund'),
  'another status of a refund': other('refund', 'status', { status: 'failed' }),
  'another amount of a refund': other('refund', 'amount', { amount: usd(999) }),
  'another currency of a refund': other('refund', 'currency', {
    amount: { amount: 1000, currency: 'jpy' },
  }),
  'another payment of a refund': other('refund', 'payment', { paymentRef: refOf('pi_other') }),
  'a credit note that the log lacks': without('CreditNoteIssued', 'creditNote'),
  'a credit note that the provider lacks': notAtProvider('creditNote'),
  'another customer of a credit note': other('creditNote', 'customer', unlinked),
  'another status of a credit note': other('creditNote', 'status', { status: 'void' }),
  'another amount of a credit note': other('creditNote', 'amount', { amount: usd(1499) }),
  'another invoice of a credit note': other('creditNote', 'invoice', {
    invoiceRef: refOf('in_other'),
  }),
  'a dispute that the log lacks': without('DisputeOpened', 'dispute'),
  'a dispute that the provider lacks': notAtProvider('dispute'),
  'another outcome of a dispute': other('dispute', 'status', { stage: 'lost' }),
  'another amount of a dispute': other('dispute', 'amount', { amount: usd(3899) }),
  'a fee that the log lacks': {
    ...without('PlatformFeeReturned', 'fee'),
    apply: (side) => ({ ...side, events: side.events.filter((event) => !isPlatformFee(event)) }),
  },
  'a fee that the provider lacks': notAtProvider('fee'),
  'another amount of a fee': other('fee', 'amount', { amount: usd(501) }),
  'another currency of a fee': other('fee', 'currency', {
    amount: { amount: 500, currency: 'jpy' },
  }),
  'a return of a fee that the log lacks': notReturnedInLog(),
  'another returned amount of a fee': other('fee', 'returned', { returned: 0 }),
  'a subscription that the log lacks': without('SubscriptionStarted', 'subscription'),
  'a subscription that the provider lacks': notAtProvider('subscription'),
  'another customer of a subscription': other('subscription', 'customer', unlinked),
  'another status of a subscription': other('subscription', 'status', { status: 'past_due' }),
  'an ended subscription': other('subscription', 'status', {
    status: 'canceled',
    endedAt: '2026-03-20T09:12:00.000Z',
  }),
  'another price of a subscription': otherItem('price', {
    priceRef: refOf('price_other'),
    price: usd(100),
  }),
  'another unit amount of a price': otherItem('unit_amount', { price: usd(100) }),
  'another quantity of a subscription': otherItem('quantity', { quantity: 7 }),
  'another period end of a subscription': otherItem('period_end', {
    currentPeriodEnd: '2026-04-04T09:12:00.000Z',
  }),
  'a planned cancellation': other('subscription', 'cancel_at', {
    cancelAt: '2026-04-03T09:12:00.000Z',
  }),
} as const satisfies Readonly<Record<string, Plant>>
