import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { useDataBehind } from '../lib/data-behind.ts'
import { useLogin } from '../lib/login-request.ts'
import { useStored } from '../lib/stored-values.ts'
import { usePageTitle } from '../lib/use-page-title.ts'
import { KeptPage } from './kept-page.tsx'
import { LogInFirst } from './log-in-first.tsx'
import { Notice } from './notice.tsx'
import { SessionEnded } from './session-ended.tsx'
import './customer-page.css'

interface CustomerPageProps {
  /** The title of the tab. */
  readonly title: string
  /** What the page shows, within a sentence: 'your purchases'. */
  readonly goal: string
  /**
   * Where a visitor who opens the address sees the login: over the landing page (`home`; the
   * specification redirects /purchases), or over the page itself. Both lead to the page.
   */
  readonly visitorsGo: 'home' | 'nowhere'
  /** The content for the customer with this e-mail address. */
  readonly children: (email: string) => ReactNode
}

/**
 * The frame of a page for signed-in customers: width, margins, tab title. A visitor gets a login
 * that leads back to the page, and a customer who logs out the landing page. A customer whose
 * session has ended gets a login and stays at the address. The content stays in memory meanwhile,
 * hidden, so that a form keeps what was typed, until another customer signs in.
 */
export function CustomerPage({ title, goal, visitorsGo, children }: CustomerPageProps) {
  usePageTitle(title)
  const email = useStored('userEmail')
  const isBehind = useDataBehind()
  const hasEnded = useStored('customerSessionEnded') !== null
  /** The customer whom the page showed last. Null for a visitor. */
  const [owner, setOwner] = useState(email)
  if (email !== null && email !== owner) setOwner(email)
  const isSignedIn = email !== null
  return (
    <div className="customer-page">
      {isSignedIn && isBehind && (
        <div className="customer-behind" role="status">
          <Notice>
            Your data is saved, but this page does not show your latest changes yet. We are working
            on it.
          </Notice>
        </div>
      )}
      {owner !== null && (isSignedIn || hasEnded) && (
        <KeptPage hidden={!isSignedIn}>
          <Fragment key={owner}>{children(owner)}</Fragment>
        </KeptPage>
      )}
      {!isSignedIn && hasEnded && <SessionEnded title={title} />}
      {!isSignedIn && !hasEnded && owner !== null && <Navigate to="/" replace />}
      {!isSignedIn && !hasEnded && owner === null && visitorsGo === 'home' && (
        <LogInAtHome goal={goal} />
      )}
      {!isSignedIn && !hasEnded && owner === null && visitorsGo === 'nowhere' && (
        <LogInFirst title={title} goal={goal} />
      )}
    </div>
  )
}

/** Redirects to the landing page and opens the login there. The sign-in leads back. */
function LogInAtHome({ goal }: { goal: string }) {
  const login = useLogin()
  const navigate = useNavigate()
  // The address of this page, as the router matched it: no other page can be reached.
  const { pathname, search, hash } = useLocation()
  const [address] = useState(`${pathname}${search}${hash}`)
  useEffect(() => {
    login.open({
      notice: `Log in to continue to ${goal}.`,
      onSignedIn: () => void navigate(address, { replace: true }),
    })
  }, [login, navigate, goal, address])
  return <Navigate to="/" replace />
}
