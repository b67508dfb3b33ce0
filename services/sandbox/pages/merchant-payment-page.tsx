import { isOpenDispute } from '../billing/disputes.ts'
import { formatDay, formatMoney } from '../billing/format.ts'
import type {
  Account,
  ApplicationFee,
  BalanceTransaction,
  Charge,
  Dispute,
  Refund,
} from '../store/stripe-objects.ts'
import { merchantName } from '../stripe/connected-account.ts'
import {
  chargeChip,
  Chip,
  Descriptions,
  merchantAddress,
  Panel,
  renderMerchantFrame,
} from './merchant-frame.tsx'

export interface PaymentView {
  readonly account: Account
  readonly charge: Charge
  /** Null if the payment has no fee of the platform. */
  readonly fee: ApplicationFee | null
  readonly balance: BalanceTransaction | null
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
  /** Minor units that a refund can still return. */
  readonly refundable: number
  /** Why the last act was refused. */
  readonly problem: string | null
}

/** One payment of a merchant: what it was, and what can follow. */
export function renderMerchantPayment(view: PaymentView): string {
  const { account, charge, problem } = view
  const money = (amount: number) => formatMoney(amount, charge.currency)
  return renderMerchantFrame({
    heading: `Payment of ${money(charge.amount)}`,
    back: { href: merchantAddress(account), text: merchantName(account) },
    children: (
      <>
        {problem !== null && (
          <p className="error-box" role="alert">
            {problem}
          </p>
        )}
        <Panel title={formatDay(charge.created)} chip={chargeChip(charge)}>
          <Descriptions descriptions={paymentDescriptions(view)} />
        </Panel>
        {charge.paid && <Refunds {...view} />}
        {charge.paid && <Disputes {...view} />}
      </>
    ),
  })
}

function paymentDescriptions({ charge, fee, balance, refundable }: PaymentView) {
  const money = (amount: number) => formatMoney(amount, charge.currency)
  const stripeFee = balance?.fee_details.find(({ type }) => type === 'stripe_fee')?.amount
  return [
    ['Payer', charge.billing_details.name ?? charge.billing_details.email ?? 'Unknown'],
    ['Charge', charge.id],
    ...(charge.failure_message === null ? [] : [['Declined', charge.failure_message] as const]),
    ...(stripeFee === undefined ? [] : [['Stripe’s fee', money(stripeFee)] as const]),
    ...(fee === null
      ? []
      : [
          [
            'Platform’s fee',
            fee.amount_refunded === 0
              ? money(fee.amount)
              : `${money(fee.amount)}, of which ${money(fee.amount_refunded)} were returned`,
          ] as const,
        ]),
    ...(charge.paid ? [['Left to refund', money(refundable)] as const] : []),
  ] as const
}

function Refunds({ account, charge, fee, refunds, refundable }: PaymentView) {
  const money = (amount: number) => formatMoney(amount, charge.currency)
  return (
    <Panel title="Refunds">
      {refunds.length > 0 && (
        <table className="portal-table">
          <tbody>
            {refunds.map((refund) => (
              <tr key={refund.id}>
                <td className="nowrap">{formatDay(refund.created)}</td>
                <td className="mono">{refund.id}</td>
                <td>
                  <Chip chip={refundChip(refund)} />
                </td>
                <td className="number">{money(refund.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {refundable === 0 ? (
        <p className="portal-empty">Nothing can be refunded.</p>
      ) : (
        <form
          className="panel-body portal-question"
          method="post"
          action={addressOf(account, charge)}
        >
          <div className="field">
            <div className="field-head">
              <label htmlFor="amount">Amount</label>
              <span className="field-optional">Empty: all of {money(refundable)}</span>
            </div>
            <input className="input num" id="amount" name="amount" inputMode="decimal" />
          </div>
          {fee !== null && (
            <label className="portal-check">
              <input type="checkbox" name="refundsFee" value="yes" />
              Also return the platform’s fee in proportion
            </label>
          )}
          <div className="portal-actions">
            <button className="button button-line" name="action" value="refund" type="submit">
              Refund
            </button>
          </div>
        </form>
      )}
    </Panel>
  )
}

function refundChip({ status }: Refund): readonly [kind: string, word: string] {
  if (status === 'succeeded') return ['active', 'Succeeded']
  return status === 'failed' || status === 'canceled'
    ? ['failed', 'Failed']
    : ['pending', 'Pending']
}

function Disputes({ account, charge, disputes }: PaymentView) {
  const open = disputes.find(isOpenDispute)
  return (
    <Panel title="Disputes">
      {disputes.length > 0 && (
        <Descriptions
          descriptions={disputes.map((dispute) => [
            formatDay(dispute.created),
            `${formatMoney(dispute.amount, dispute.currency)}, ${wordsOf(dispute.status)}`,
          ])}
        />
      )}
      <form className="portal-actions panel-body" method="post" action={addressOf(account, charge)}>
        {open === undefined ? (
          <>
            <button className="button button-line" name="action" value="dispute" type="submit">
              The payer disputes it
            </button>
            <button className="button button-line" name="action" value="inquire" type="submit">
              The bank inquires
            </button>
          </>
        ) : (
          <>
            <button className="button button-line" name="action" value="win" type="submit">
              {open.status.startsWith('warning') ? 'Close the inquiry' : 'The merchant wins'}
            </button>
            {!open.status.startsWith('warning') && (
              <button className="button button-risk" name="action" value="lose" type="submit">
                The merchant loses
              </button>
            )}
          </>
        )}
      </form>
    </Panel>
  )
}

/** `warning_needs_response` becomes `inquiry needs response`. */
function wordsOf(status: string): string {
  return status.replace('warning', 'inquiry').replaceAll('_', ' ')
}

function addressOf(account: Account, charge: Charge): string {
  return `${merchantAddress(account)}/payments/${charge.id}`
}
