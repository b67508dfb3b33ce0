import { everyInterval, formatDay, formatMoney } from '../billing/format.ts'
import { paidUntil } from '../billing/cancel-subscription.ts'
import type { Price, Subscription } from '../store/stripe-objects.ts'
import { nameOfPrice } from '../stripe/catalogue.ts'
import { CardFields, TestCards } from './card-fields.tsx'
import type { FieldErrors, TypedForm } from './card-form.ts'
import { inFrame, itemOf, type PortalAccount } from './portal-frame.tsx'

export function renderCancellation(account: PortalAccount, subscription: Subscription): string {
  const until = formatDay(paidUntil(subscription))
  return inFrame(account, `Cancel ${nameOfPrice(itemOf(subscription).price)}`, [
    <section className="panel" key="cancel">
      <div className="panel-body portal-question">
        <p>
          Your plan works until <b>{until}</b>, the end of the period that is paid for. Nothing more
          is charged. You can withdraw the cancellation until then.
        </p>
        <form
          className="portal-actions"
          method="post"
          action={`/portal/${account.portalId}/cancel`}
        >
          <button className="button button-risk" type="submit">
            Cancel plan
          </button>
          <a className="button button-line" href={account.leaveUrl}>
            Go back
          </a>
        </form>
      </div>
    </section>,
  ])
}

export function renderCardChange(
  account: PortalAccount,
  typed: {
    readonly form: TypedForm
    readonly errors: FieldErrors
    readonly decline: string | null
  },
): string {
  const price = account.subscription === null ? null : itemOf(account.subscription).price
  return inFrame(account, 'Change card', [
    <section className="panel" key="card">
      <form
        className="panel-body card-form"
        method="post"
        action={`/portal/${account.portalId}/card`}
        noValidate
      >
        {typed.decline !== null && (
          <p className="error-box card-wide" role="alert">
            {typed.decline} The card was not saved. Try another one.
          </p>
        )}
        <CardFields form={typed.form} errors={typed.errors} isDeclined={typed.decline !== null} />
        <div className="portal-actions card-wide">
          <button className="button" type="submit">
            Save card
          </button>
          <a className="button button-line" href={account.leaveUrl}>
            Go back
          </a>
        </div>
        {price !== null && <p className="fine-print card-wide">{nextCharge(account, price)}</p>}
      </form>
    </section>,
    <TestCards key="test-cards" now={account.now} today={account.today} />,
  ])
}

/** What the new card pays, and when. An unpaid invoice is tried again before the next period. */
function nextCharge({ invoices, subscription }: PortalAccount, price: Price): string {
  const unpaid = invoices.find(({ status }) => status === 'open')
  if (unpaid !== undefined) {
    const amount = formatMoney(unpaid.amount_remaining, unpaid.currency)
    return unpaid.next_payment_attempt === null
      ? `${amount} is unpaid, and no further attempt is planned: saving the card does not pay it. Pay it on the page of the invoice.`
      : `${amount} is unpaid. The next attempt on ${formatDay(unpaid.next_payment_attempt)} charges this card.`
  }
  return subscription?.cancel_at === null
    ? `Nothing is charged now. The next charge ${everyInterval(price)} goes to this card.`
    : 'Nothing is charged now.'
}
