import { randomUUID } from 'node:crypto'
import {
  parseCheckoutId,
  type CheckoutId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import type { ProviderClientCheckout } from '#services/payments/client-payments'
import { newYork } from './reminders.ts'
import type { SendingSide } from './sending-side.ts'

/** A bank debit of one invoice in the portal: the provider reports it, days pass, and it ends. */
export interface BankDebit {
  readonly merchantId: UserId
  readonly clientId: ClientId
  readonly checkoutId: CheckoutId
  /** Minor units. */
  readonly amount: number
}

/** The client submits a debit of `amount`, which must be open. */
export async function submitDebit(
  side: SendingSide,
  of: { readonly merchantId: UserId; readonly clientId: ClientId },
  item: { readonly receivableId: ReceivableId; readonly amount: number },
): Promise<BankDebit> {
  const checkoutId = parseCheckoutId(`checkout_${randomUUID()}`)
  const { merchantId, clientId } = of
  await side.actOnClient(merchantId, clientId, {
    type: 'start-checkout',
    checkoutId,
    accountRef: refOf('acct_1'),
    currency: 'usd',
    items: [item],
    feeBasisPoints: 500,
  })
  await side.actOnClient(merchantId, clientId, {
    type: 'record-session',
    checkoutId,
    sessionRef: refOf(`cs_${checkoutId}`),
    expiresAt: side.clock.now().toISOString(),
  })
  const debit = { ...of, checkoutId, amount: item.amount }
  await found(side, debit, 'submitted')
  return debit
}

export async function endDebit(
  side: SendingSide,
  debit: BankDebit,
  how: 'failed' | 'paid',
): Promise<void> {
  await found(
    side,
    debit,
    how === 'failed'
      ? how
      : {
          paymentRef: refOf(`pi_${debit.checkoutId}`),
          paidAt: side.clock.now().toISOString(),
          currency: 'usd',
          amount: debit.amount,
          method: {
            type: 'us_bank_account',
            brand: null,
            last4: '6789',
            expiryMonth: null,
            expiryYear: null,
          },
          reversals: [],
          fee: null,
        },
  )
}

async function found(
  side: SendingSide,
  { merchantId, clientId, checkoutId }: BankDebit,
  payment: ProviderClientCheckout['payment'],
): Promise<void> {
  await side.actOnClient(merchantId, clientId, {
    type: 'record-checkout',
    checkoutId,
    timeZone: newYork,
    found: {
      session: {
        sessionRef: refOf(`cs_${checkoutId}`),
        status: 'complete',
        url: null,
        expiresAt: side.clock.now().toISOString(),
      },
      payment,
    },
  })
}
