import { brand } from '#contracts/brand/brand'
import type { CheckoutSession } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { merchantName } from '../stripe/connected-account.ts'
import { renderNotice } from './notice-page.tsx'

/** Who is paid: the platform, or the merchant of the connected account. */
export async function merchantOf(tx: ReadTransaction): Promise<string> {
  if (tx.account === null) return brand.name
  const account = await tx.on(null).find('account', tx.account)
  return account === null ? tx.account : merchantName(account)
}

/** Where a paid checkout leads. */
export function successUrl(session: CheckoutSession, productUrl: string): string {
  return (session.success_url ?? productUrl).replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

export function noCheckout(productUrl: string): string {
  return renderNotice({
    title: 'Checkout not found',
    text: 'No checkout has this address. Start again from the product.',
    href: productUrl,
  })
}

/** The page of a checkout that was paid or has expired. */
export function renderClosedCheckout(
  session: CheckoutSession,
  merchant: string,
  productUrl: string,
): string {
  if (session.status === 'complete')
    return renderNotice({
      title: 'This checkout is complete',
      text: 'This checkout was paid and cannot be paid again.',
      href: successUrl(session, productUrl),
      linkText: `Continue to ${merchant}`,
    })
  return renderNotice({
    title: 'This checkout has expired',
    text:
      session.sandbox.payment === undefined
        ? 'Nothing was charged. Subscribe again to open a new checkout.'
        : 'Nothing was charged. Start the payment again to open a new checkout.',
    href: session.cancel_url ?? productUrl,
    linkText: `Back to ${merchant}`,
  })
}
