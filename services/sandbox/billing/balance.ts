import { brand } from '#contracts/brand/brand'
import { newId } from '../store/ids.ts'
import {
  idOrNull,
  type BalanceTransaction,
  type Charge,
  type StoredBalanceTransaction,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { platformApplicationId } from '../stripe/connected-account.ts'

type FeeDetail = BalanceTransaction['fee_details'][number]

export interface Movement {
  readonly type: BalanceTransaction['type']
  readonly category: string
  /** Minor units; negative if money leaves the balance. */
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  /** The id of the object that moved the money. */
  readonly source: string
  readonly fees?: readonly FeeDetail[]
}

const day = 86_400

/** Money that moved on a balance. Not saved yet. `availableOn` is in seconds. */
export function balanceTransaction(
  now: number,
  moved: Movement,
  availableOn: number = now,
): BalanceTransaction {
  const fees = (moved.fees ?? []).filter(({ amount }) => amount !== 0)
  const fee = fees.reduce((sum, { amount }) => sum + amount, 0)
  return {
    id: newId('balance_transaction'),
    object: 'balance_transaction',
    amount: moved.amount,
    available_on: availableOn,
    balance_type: 'payments',
    created: now,
    currency: moved.currency,
    description: moved.description,
    exchange_rate: null,
    fee,
    fee_details: [...fees],
    net: moved.amount - fee,
    reporting_category: moved.category,
    source: moved.source,
    status: availableOn > now ? 'pending' : 'available',
    type: moved.type,
  } satisfies BalanceTransaction
}

/**
 * Books a movement on the balance of a connected account. It is available, and part of the daily
 * payout, at the beginning of a later day (UTC): the second day for a payment, the next one for
 * everything else. Null on the platform, whose balance is not simulated.
 */
export async function book(tx: Transaction, moved: Movement): Promise<BalanceTransaction | null> {
  if (tx.account === null) return null
  const days = moved.type === 'charge' ? 2 : 1
  const made = balanceTransaction(tx.now, moved, (Math.floor(tx.now / day) + days) * day)
  await tx.add({ ...made, sandbox: { payout: '' } } satisfies StoredBalanceTransaction)
  return made
}

/** Books a paid charge with its fees. Returns the charge; the caller saves it. */
export async function bookCharge(tx: Transaction, charge: Charge): Promise<Charge> {
  if (!charge.paid) return charge
  const { amount, currency } = charge
  const moved = await book(tx, {
    type: 'charge',
    category: 'charge',
    amount,
    currency,
    description: charge.description,
    source: charge.id,
    fees: [
      applicationFee(charge.application_fee_amount ?? 0, currency, 'application fee'),
      {
        amount: processingFee(amount),
        application: null,
        currency,
        description: 'Stripe processing fees',
        type: 'stripe_fee',
      },
    ],
  })
  return moved === null ? charge : { ...charge, balance_transaction: moved.id }
}

/** Stripe's fee of a card payment in the US: 2.9 % and 30 cents. Minor units. */
function processingFee(amount: number): number {
  return Math.round(amount * 0.029) + 30
}

/** Returned fees are negative. Minor units. */
export function applicationFee(amount: number, currency: string, what: string): FeeDetail {
  return {
    amount,
    application: platformApplicationId,
    currency,
    description: `${brand.name} ${what}`,
    type: 'application_fee',
  }
}

/** Moves the amount of a refund that failed back to the balance. Null if nothing had left it. */
export async function bookFailedRefund(
  tx: Transaction,
  refund: {
    readonly id: string
    readonly amount: number
    readonly currency: string
    readonly balance_transaction: string | { readonly id: string } | null
  },
): Promise<string | null> {
  if (idOrNull(refund.balance_transaction) === null) return null
  const moved = await book(tx, {
    type: 'refund_failure',
    category: 'refund_failure',
    amount: refund.amount,
    currency: refund.currency,
    description: 'REFUND FAILURE',
    source: refund.id,
  })
  return moved?.id ?? null
}
