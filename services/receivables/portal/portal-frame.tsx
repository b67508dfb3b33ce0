import type { ReactNode } from 'react'
import { brand as product } from '#contracts/brand/brand'
import type { PortalView } from './portal-view.ts'

/** The head and the foot of every page of a merchant's portal. */
export function Frame({
  merchant,
  children,
}: {
  readonly merchant: PortalView['merchant']
  readonly children: ReactNode
}) {
  const { name, logo, phone, email, address } = merchant
  return (
    <>
      <header className="pay-head">
        <div>
          <span className="pay-name" dir="auto">
            {logo !== null && <img src={logo.url} width={logo.width} height={logo.height} alt="" />}
            {name}
          </span>
          {phone !== null && <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>}
        </div>
      </header>
      {children}
      <footer className="pay-foot">
        <div>
          <p dir="auto">
            {[name, ...address].join(', ')}.{' '}
            {email !== null && <a href={`mailto:${email}`}>{email}</a>}
          </p>
          <p>Anyone with this link sees this page. Pages and reminders by {product.name}.</p>
        </div>
      </footer>
    </>
  )
}
