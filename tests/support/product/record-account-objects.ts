import { connectAccount, payOnAccount } from './connected-accounts.ts'
import { advance } from './sandbox-money.ts'
import type { TestSandbox } from './sandbox.ts'

/** One object of each kind that belongs to a connected account, and the platform's fee. */
export async function recordAccountObjects(sandbox: TestSandbox) {
  const { stripe } = sandbox
  const account = await connectAccount(stripe)
  const options = { stripeAccount: account }
  const { session, charge } = await payOnAccount(stripe, account)
  await stripe.refunds.create(
    { charge: charge.id, amount: 2_000, refund_application_fee: true },
    options,
  )
  await advance(sandbox, 'P4D')
  return {
    'connected-account': await stripe.accounts.retrieve(account),
    'account-checkout-session': await stripe.checkout.sessions.retrieve(
      session.id,
      { expand: ['line_items', 'payment_intent.latest_charge.balance_transaction'] },
      options,
    ),
    'account-refund': (await stripe.refunds.list({}, options)).data[0],
    'account-balance-transaction': (
      await stripe.balanceTransactions.list({ type: 'charge' }, options)
    ).data[0],
    'account-payout': (await stripe.payouts.list({}, options)).data[0],
    'account-event': (await stripe.events.list({ type: 'checkout.session.completed' }, options))
      .data[0],
    'application-fee': (await stripe.applicationFees.list({ charge: charge.id })).data[0],
  }
}
