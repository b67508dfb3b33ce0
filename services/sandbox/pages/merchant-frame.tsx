import type { ReactNode } from 'react'
import type { Account, Charge } from '../store/stripe-objects.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

/** A page of a merchant at Stripe. `owner` is beside the logo and leads to `ownerUrl`. */
export function renderMerchantFrame({
  owner = 'Merchants',
  ownerUrl = '/dashboard',
  heading,
  title = heading,
  back,
  children,
}: {
  readonly owner?: string
  /** Null: no link. */
  readonly ownerUrl?: string | null
  readonly heading: string
  /** Of the document. */
  readonly title?: string
  readonly back: { readonly href: string; readonly text: string }
  readonly children: ReactNode
}): string {
  return renderPage({
    title: `${title} (sandbox)`,
    kind: 'portal',
    children: (
      <>
        <header className="portal-bar">
          <Owner url={ownerUrl}>
            <LogoMark />
            {owner}
          </Owner>
          <BackLink {...back} />
        </header>
        <main className="portal">
          <h1>{heading}</h1>
          {children}
        </main>
      </>
    ),
  })
}

function Owner({ url, children }: { readonly url: string | null; readonly children: ReactNode }) {
  return url === null ? (
    <span className="logo">{children}</span>
  ) : (
    <a className="logo" href={url}>
      {children}
    </a>
  )
}

export function Panel({
  title,
  chip,
  children,
}: {
  readonly title: string
  readonly chip?: readonly [kind: string, word: string]
  readonly children: ReactNode
}) {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {chip !== undefined && <Chip chip={chip} />}
      </header>
      {children}
    </section>
  )
}

export function Chip({
  chip: [kind, word],
}: {
  readonly chip: readonly [kind: string, word: string]
}) {
  return <span className={`chip chip-${kind}`}>{word}</span>
}

export function Descriptions({
  descriptions,
}: {
  readonly descriptions: readonly (readonly [string, ReactNode])[]
}) {
  return (
    <dl className="descriptions panel-body">
      {descriptions.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Style and word of an account's state. */
export function accountChip(account: Account): readonly [kind: string, word: string] {
  if (!account.sandbox.isConnected) return ['ended', 'Disconnected']
  if (account.charges_enabled) return ['active', 'Accepts payments']
  return account.details_submitted ? ['failed', 'Stripe needs more'] : ['pending', 'Not finished']
}

/** Style and word of a payment's state. */
export function chargeChip(charge: Charge): readonly [kind: string, word: string] {
  if (charge.status === 'pending') return ['pending', 'Pending']
  if (!charge.paid) return ['failed', 'Declined']
  if (charge.disputed) return ['pending', 'Disputed']
  if (charge.refunded) return ['ended', 'Refunded']
  return charge.amount_refunded > 0 ? ['open', 'Partly refunded'] : ['active', 'Paid']
}

export function merchantAddress(account: Account): string {
  return `/dashboard/${account.id}`
}
