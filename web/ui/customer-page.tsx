import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { useDataBehind } from '../lib/data-behind.ts'
import { useStored } from '../lib/stored-values.ts'
import { usePageTitle } from '../lib/use-page-title.ts'
import { Notice } from './notice.tsx'
import { SessionEnded } from './session-ended.tsx'
import './customer-page.css'

interface CustomerPageProps {
  /** The title of the tab. */
  readonly title: string
  /** The content for the customer with this e-mail address. */
  readonly children: (email: string) => ReactNode
}

/**
 * The frame of a page for signed-in customers: width, margins, tab title. Redirects a visitor to
 * the landing page. A customer whose session has ended gets a login and stays at the address.
 */
export function CustomerPage({ title, children }: CustomerPageProps) {
  usePageTitle(title)
  const email = useStored('userEmail')
  const isBehind = useDataBehind()
  const hasEnded = useStored('customerSessionEnded') !== null
  return (
    <div className="customer-page">
      {email !== null && isBehind && (
        <div className="customer-behind" role="status">
          <Notice>
            Your data is saved, but this page does not show your latest changes yet. We are working
            on it.
          </Notice>
        </div>
      )}
      {email !== null && children(email)}
      {email === null && (hasEnded ? <SessionEnded title={title} /> : <Navigate to="/" replace />)}
    </div>
  )
}
