import type { ReactNode } from 'react'
import { brand } from '#contracts/brand'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Customer, Invoice, PaymentMethod, Subscription } from '../store/stripe-objects.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

/** The data that the portal shows and changes. */
export interface PortalAccount {
  readonly portalId: string
  readonly backUrl: string
  /** Target of 'Go back': the plan, or the product if the link was created for this page. */
  readonly leaveUrl: string
  readonly now: number
  readonly customer: Customer
  readonly subscription: Subscription | null
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
