import { newId } from '../store/ids.ts'
import type { Payout, StoredBalanceTransaction } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { balanceTransaction } from './balance.ts'

const day = 86_400

/**
 * The balance of this movement's day and currency becomes available, and what is available and not
 * paid out is paid out. A negative sum waits for later payments.
 */
export async function payOutDay(tx: Transaction, due: StoredBalanceTransaction): Promise<void> {
  const { currency } = due
  const pending = await ofCurrency(tx, currency, { path: ['status'], isOneOf: ['pending'] })
  for (const moved of pending.filter(({ available_on }) => available_on <= tx.now))
    await tx.save({ ...moved, status: 'available' })
  const account = await tx.on(null).find('account', tx.account ?? '')
  if (account?.payouts_enabled !== true) return
  const unpaid = await ofCurrency(tx, currency, { path: ['sandbox', 'payout'], isOneOf: [''] })
  const available = unpaid.filter(({ status }) => status === 'available')
  const amount = available.reduce((sum, { net }) => sum + net, 0)
  if (amount <= 0) return
  const payout = await startPayout(tx, amount, currency)
  for (const moved of available) await tx.save({ ...moved, sandbox: { payout: payout.id } })
}

async function ofCurrency(
  tx: Transaction,
  currency: string,
  condition: { readonly path: readonly string[]; readonly isOneOf: readonly string[] },
): Promise<readonly StoredBalanceTransaction[]> {
  return tx.list('balance_transaction', {
    where: [{ path: ['currency'], isOneOf: [currency] }, condition],
  })
}

async function startPayout(tx: Transaction, amount: number, currency: string): Promise<Payout> {
  const id = newId('payout')
  const moved = balanceTransaction(tx.now, {
    type: 'payout',
    category: 'payout',
    amount: -amount,
    currency,
    description: 'STRIPE PAYOUT',
    source: id,
  })
  const payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: tx.now + day,
    automatic: true,
    balance_transaction: moved.id,
    created: tx.now,
    currency,
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  } satisfies Payout
  await tx.add({ ...moved, sandbox: { payout: id } })
  await tx.add(payout)
  await tx.emit('payout.created', payout)
  return payout
}

/** The payout is on the merchant's bank account. */
export async function arrivePayout(tx: Transaction, payout: Payout): Promise<void> {
  const paid: Payout = { ...payout, status: 'paid' }
  await tx.save(paid)
  await tx.emit('payout.paid', paid)
}
