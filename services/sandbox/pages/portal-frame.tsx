import type { ReactNode } from 'react'
import { brand } from '#contracts/brand/brand'
import { DamagedStore } from '../store/damaged-store.ts'
import type { PendingChange } from '../billing/portal-plan-change.ts'
import type {
  Customer,
  Invoice,
  PaymentMethod,
  PortalConfiguration,
  Subscription,
} from '../store/stripe-objects.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

/** The data that the portal shows and changes. */
export interface PortalAccount {
  readonly portalId: string
  readonly backUrl: string
  /** Target of 'Go back': the plan, or the product if the link was created for this page. */
  readonly leaveUrl: string
  /** Whether the link names the plan to change to. */
  readonly namesPlan: boolean
  readonly now: number
  /** The visitor's calendar, in seconds. */
  readonly today: number
  readonly configuration: PortalConfiguration
  readonly customer: Customer
  readonly subscription: Subscription | null
  readonly pendingChange: PendingChange | null
  readonly method: PaymentMethod | null
  /** Newest first. */
  readonly invoices: readonly Invoice[]
}

export function inFrame(
  account: PortalAccount,
  heading: string,
  children: readonly ReactNode[],
): string {
  return renderPage({
    title: `${heading} (sandbox)`,
    kind: 'portal',
    children: (
      <>
        <header className="portal-bar">
          <span className="logo">
            <LogoMark />
            {brand.name}
          </span>
          <BackLink href={account.backUrl} text="Back to your account" />
        </header>
        <main className="portal">
          <h1>{heading}</h1>
          {children}
        </main>
      </>
    ),
  })
}

/** The subscription's only item. */
export function itemOf(subscription: Subscription): Subscription['items']['data'][number] {
  const [item] = subscription.items.data
  if (!item) throw new DamagedStore(`The subscription ${subscription.id} has no item.`)
  return item
}

/** `Visa ending 4242`. */
export function cardInWords(method: PaymentMethod | null): string {
  return method?.card ? `${brandName(method.card.brand)} ending ${method.card.last4}` : 'card'
}

function brandName(brandId: string): string {
  const names: Readonly<Record<string, string>> = {
    visa: 'Visa',
    mastercard: 'Mastercard',
    amex: 'American Express',
  }
  return names[brandId] ?? 'Card'
}
