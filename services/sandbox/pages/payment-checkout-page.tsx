import { renderCheckoutFrame, type CheckoutView } from './checkout-frame.tsx'

/** The checkout of a payment to a merchant. The payer does not see the platform's fee. */
export function renderPaymentCheckout(view: CheckoutView, merchant: string): string {
  return renderCheckoutFrame({
    view,
    heading: `Pay ${merchant}`,
    lines: view.session.sandbox.lineItems.map(({ description, quantity, amount_total }) => ({
      name: (quantity ?? 1) > 1 ? `${description ?? ''} × ${quantity}` : description,
      amount: amount_total,
    })),
    totalLabel: 'Total due',
    consent: 'This card is charged once and is not saved.',
  })
}
