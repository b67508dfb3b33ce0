import fc from 'fast-check'
import type { CheckoutItem } from '#contracts/events/client-checkout'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import type {
  ProviderClientCheckout,
  ProviderClientPayment,
  ProviderReversal,
} from '#services/payments/client-payments'
import { feeBackOf, feeOf } from '#contracts/receivables/fee'

/** A checkout as the product reserved it. Amounts in minor units of `currency`. */
export interface ReservedCheckout {
  readonly name: string
  readonly currency: string
  readonly items: readonly CheckoutItem[]
  readonly feeBasisPoints: number
}

/** What the provider says of one checkout, from its first moment to its last one. */
export interface ProviderCheckoutLife {
  readonly reserved: ReservedCheckout
  readonly states: readonly ProviderClientCheckout[]
}

type Step =
  | { readonly what: 'refund' | 'chargeback'; readonly part: number }
  | { readonly what: 'give-back' | 'lose'; readonly which: number }
  /** The product returns the fee of what was refunded so far. */
  | { readonly what: 'return-fee' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constantFrom('refund' as const, 'refund' as const, 'chargeback' as const),
    /** Hundredths of what is left; 100 takes all of it. */
    part: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(100)),
  }),
  fc.record({
    what: fc.constantFrom('give-back' as const, 'lose' as const),
    which: fc.nat({ max: 4 }),
  }),
  fc.record({ what: fc.constant('return-fee' as const) }),
)

const amounts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 50, max: 2_000_000 }))

const reserved = fc.record({
  currency: fc.constantFrom('usd', 'usd', 'eur', 'jpy', 'kwd'),
  amounts: fc.array(amounts, { minLength: 1, maxLength: 5 }),
  feeBasisPoints: fc.constantFrom(500, 300, 1, 0, 10_000),
})

/**
 * Lives of checkouts at the provider. The page is open, then paid at once or after days, or fails
 * or expires. A payment can be above what was reserved, if `surplus` is not 0. Then come refunds in
 * parts and chargebacks, which take no more than what is left; refunds that fail, chargebacks that
 * are won and lost, and fees that are returned.
 */
export const arbitraryProviderCheckout: fc.Arbitrary<ProviderCheckoutLife> = fc
  .record({
    reserved,
    end: fc.constantFrom('paid', 'paid', 'paid', 'paid', 'failed', 'expired'),
    isSubmitted: fc.boolean(),
    surplus: fc.oneof(fc.constant(0), fc.integer({ min: -500, max: 500 })),
    isFeeLate: fc.boolean(),
    steps: fc.array(step, { maxLength: 8 }),
    name: fc.uuid(),
  })
  .map(({ reserved: { amounts: parts, ...of }, name, ...life }) => {
    const items = parts.map((amount, index) => ({ receivableId: `receivable_${index}`, amount }))
    const checkout = { name, items, ...of }
    return { reserved: checkout, states: statesOf(checkout, life) }
  })

function statesOf(
  { name, currency, items, feeBasisPoints }: ReservedCheckout,
  life: {
    readonly end: string
    readonly isSubmitted: boolean
    readonly surplus: number
    readonly isFeeLate: boolean
    readonly steps: readonly Step[]
  },
): readonly ProviderClientCheckout[] {
  const session = (status: 'open' | 'complete' | 'expired') => ({
    sessionRef: refOf(`cs_${name}`),
    status,
    url: status === 'open' ? 'https://pay.example/page' : null,
    expiresAt: at(1),
  })
  const open: ProviderClientCheckout = { session: session('open'), payment: 'none' }
  if (life.end === 'expired') return [open, { session: session('expired'), payment: 'none' }]
  const complete = session('complete')
  const submitted = { session: complete, payment: 'submitted' } as const
  const before = life.isSubmitted ? [open, submitted] : [open]
  if (life.end === 'failed') return [...before, { session: complete, payment: 'failed' }]

  const reservedSum = items.reduce((sum, { amount }) => sum + amount, 0)
  const amount = Math.max(1, reservedSum + life.surplus)
  const fee = feeOf(reservedSum, feeBasisPoints)
  const paid: ProviderClientPayment = {
    paymentRef: refOf(`pi_${name}`),
    paidAt: at(0),
    currency,
    amount,
    method: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2030 },
    reversals: [],
    fee: null,
  }
  const charged = {
    ...paid,
    // The provider charges no fee of 0.
    fee:
      fee === 0
        ? null
        : { feeRef: refOf(`fee_${name}`), currency, amount: fee, chargedAt: at(0), returns: [] },
  }
  const payments = life.steps.reduce<readonly ProviderClientPayment[]>(
    (states, each, index) => [...states, after(states.at(-1) ?? charged, each, index + 1, name)],
    life.isFeeLate ? [paid, charged] : [charged],
  )
  return [...before, ...payments.map((payment) => ({ session: complete, payment }))]
}

/** What the client has again: of refunds and chargebacks that stand. */
export function takenOf({ reversals }: Pick<ProviderClientPayment, 'reversals'>): number {
  return reversals.reduce(
    (sum, { standing, amount }) => (standing === 'given-back' ? sum : sum + amount),
    0,
  )
}

/** What the merchant refunded, without refunds that failed. */
function refundedOf({ reversals }: ProviderClientPayment): number {
  return takenOf({ reversals: reversals.filter(({ kind }) => kind === 'refund') })
}

function after(
  payment: ProviderClientPayment,
  doing: Step,
  days: number,
  name: string,
): ProviderClientPayment {
  switch (doing.what) {
    case 'refund':
    case 'chargeback': {
      const left = payment.amount - takenOf(payment)
      const amount = Math.ceil((left * doing.part) / 100)
      if (amount === 0) return payment
      const reversal: ProviderReversal = {
        reversalRef: refOf(`${doing.what === 'refund' ? 're' : 'dp'}_${name}_${days}`),
        kind: doing.what,
        amount,
        at: at(days),
        standing: 'taken',
        givenBackAt: null,
        reason: null,
      }
      return { ...payment, reversals: [...payment.reversals, reversal] }
    }
    case 'give-back':
    case 'lose': {
      const taken = payment.reversals.filter(
        ({ standing, kind }) =>
          standing === 'taken' && (doing.what === 'give-back' || kind === 'chargeback'),
      )
      const chosen = taken[doing.which % Math.max(1, taken.length)]
      return {
        ...payment,
        reversals: payment.reversals.map((each) =>
          each !== chosen
            ? each
            : doing.what === 'lose'
              ? { ...each, standing: 'lost' }
              : { ...each, standing: 'given-back', givenBackAt: at(days) },
        ),
      }
    }
    case 'return-fee': {
      const { fee } = payment
      if (fee === null) return payment
      const returned = fee.returns.reduce((sum, each) => sum + each.amount, 0)
      const more = feeBackOf(fee.amount, payment.amount, refundedOf(payment)) - returned
      if (more <= 0) return payment
      const back = { returnRef: refOf(`fr_${name}_${days}`), amount: more, at: at(days) }
      return { ...payment, fee: { ...fee, returns: [...fee.returns, back] } }
    }
  }
}

function at(days: number): string {
  return new Date(Date.parse('2026-03-30T22:30:00.000Z') + days * 86_400_000).toISOString()
}
