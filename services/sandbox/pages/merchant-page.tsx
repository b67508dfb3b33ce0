import { brand } from '#contracts/brand/brand'
import { formatDay, formatMoney } from '../billing/format.ts'
import type { Account, Charge, Payout } from '../store/stripe-objects.ts'
import { merchantName } from '../stripe/connected-account.ts'
import { accountDescriptions } from './account-descriptions.ts'
import {
  accountChip,
  chargeChip,
  Chip,
  Descriptions,
  merchantAddress,
  Panel,
  renderMerchantFrame,
} from './merchant-frame.tsx'

/** All connected accounts, the newest first. */
export function renderMerchants(accounts: readonly Account[], productUrl: string): string {
  return renderMerchantFrame({
    heading: 'Connected accounts',
    back: { href: productUrl, text: `Back to ${brand.name}` },
    children: (
      <Panel title="Merchants">
        {accounts.length === 0 ? (
          <p className="portal-empty">No merchant has connected an account yet.</p>
        ) : (
          <table className="portal-table">
            <thead>
              <tr>
                <th>Merchant</th>
                <th>Created</th>
                <th>State</th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((account) => (
                <tr key={account.id}>
                  <td>
                    <a href={merchantAddress(account)}>{merchantName(account)}</a>
                  </td>
                  <td className="nowrap">{formatDay(account.created ?? 0)}</td>
                  <td>
                    <Chip chip={accountChip(account)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
    ),
  })
}

interface MerchantView {
  readonly account: Account
  /** The newest ones, newest first. */
  readonly charges: readonly Charge[]
  readonly payouts: readonly Payout[]
  readonly productUrl: string
}

/** The dashboard of one connected account, for a tester: its payments, its payouts, its state. */
export function renderMerchant({ account, charges, payouts, productUrl }: MerchantView): string {
  return renderMerchantFrame({
    heading: merchantName(account),
    back: { href: productUrl, text: `Back to ${brand.name}` },
    children: (
      <>
        <Panel title="Payments">
          <Payments account={account} charges={charges} />
        </Panel>
        <Panel title="Payouts">
          <Payouts payouts={payouts} />
        </Panel>
        <Panel title="Account" chip={accountChip(account)}>
          <Descriptions descriptions={accountDescriptions(account)} />
          {account.sandbox.isConnected && <Controls account={account} />}
        </Panel>
      </>
    ),
  })
}

function Payments({ account, charges }: Pick<MerchantView, 'account' | 'charges'>) {
  if (charges.length === 0) return <p className="portal-empty">No payment yet.</p>
  return (
    <table className="portal-table">
      <thead>
        <tr>
          <th>Payer</th>
          <th>Date</th>
          <th>Status</th>
          <th className="number">Amount</th>
        </tr>
      </thead>
      <tbody>
        {charges.map((charge) => (
          <tr key={charge.id}>
            <td>
              <a href={`${merchantAddress(account)}/payments/${charge.id}`}>
                {charge.billing_details.name ?? charge.billing_details.email}
              </a>
            </td>
            <td className="nowrap">{formatDay(charge.created)}</td>
            <td>
              <Chip chip={chargeChip(charge)} />
            </td>
            <td className="number">{formatMoney(charge.amount, charge.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Payouts({ payouts }: Pick<MerchantView, 'payouts'>) {
  if (payouts.length === 0)
    return (
      <p className="portal-empty">
        A payment is paid out on the second day after it, by the sandbox’s clock.
      </p>
    )
  return (
    <table className="portal-table">
      <thead>
        <tr>
          <th>Date</th>
          <th>Arrives</th>
          <th>Status</th>
          <th className="number">Amount</th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((payout) => (
          <tr key={payout.id}>
            <td className="nowrap">{formatDay(payout.created)}</td>
            <td className="nowrap">{formatDay(payout.arrival_date)}</td>
            <td>
              <Chip
                chip={payout.status === 'paid' ? ['active', 'Paid'] : ['pending', 'On its way']}
              />
            </td>
            <td className="number">{formatMoney(payout.amount, payout.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What happens to the account at Stripe, and not in the product. */
function Controls({ account }: Pick<MerchantView, 'account'>) {
  return (
    <form className="portal-actions" method="post" action={merchantAddress(account)}>
      {account.charges_enabled ? (
        <button className="button button-line" name="action" value="more" type="submit">
          Take payments away
        </button>
      ) : (
        <button className="button button-line" name="action" value="finish" type="submit">
          Let it accept payments
        </button>
      )}
      <button className="button button-risk" name="action" value="deauthorize" type="submit">
        Remove the access of {brand.name}
      </button>
    </form>
  )
}
