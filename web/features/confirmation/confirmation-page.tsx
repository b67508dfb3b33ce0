import { Link } from 'react-router-dom'
import { useLogin } from '../../lib/login-request.ts'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SessionEnded } from '../../ui/session-ended.tsx'
import { Details } from './details.tsx'
import { NextSteps } from './next-steps.tsx'
import { PaidMark } from './paid-mark.tsx'
import type { Standing } from './standing.ts'
import { headingOf, sentenceOf } from './standing-words.ts'
import { useConfirmation } from './use-confirmation.ts'
import './confirmation-page.css'

/**
 * The page that the hosted checkout redirects to. Its heading says what the provider has reported.
 * A visitor, and a customer whose session has ended, get a login.
 */
export function ConfirmationPage() {
  const email = useStored('userEmail')
  const hasEnded = useStored('customerSessionEnded') !== null
  return (
    <div className="confirmation">
      {email === null && hasEnded ? (
        <SessionEnded title={headingOf({ kind: 'visitor' })} />
      ) : (
        <Purchase email={email} />
      )}
    </div>
  )
}

function Purchase({ email }: { email: string | null }) {
  const businessName = useStored('businessName')
  const confirmation = useConfirmation(email)
  const { standing, waiting, isFromCheckout } = confirmation
  const heading = headingOf(standing)
  usePageTitle(heading.replace('!', ''))
  const isBought = standing.kind === 'activated' || standing.kind === 'processing'
  const greeting = isBought ? 'Thank you' : 'Hello'
  const isActivated = standing.kind === 'activated'
  // The mark's place is kept while the page loads, so that the heading does not move.
  const hasMark = isActivated || (standing.kind === 'loading' && isFromCheckout)
  return (
    <>
      <header className={`confirmation-head ${hasMark ? 'confirmation-bought' : ''}`}>
        {hasMark && (isActivated ? <PaidMark /> : <span className="paid-mark" />)}
        <h1>{heading}</h1>
        <p role="status">
          {businessName !== null && `${greeting}, ${businessName}. `}
          {businessName === null && isBought && 'Thank you. '}
          {sentenceOf(standing, waiting)}
        </p>
        <NextAct standing={standing} />
      </header>
      <div className="confirmation-grid">
        {email !== null && standing.kind !== 'not-yours' && (
          <Details confirmation={confirmation} email={email} />
        )}
        <NextSteps standing={standing} />
      </div>
    </>
  )
}

/** What the customer can do if the plan does not run. */
function NextAct({ standing }: { standing: Standing }) {
  const login = useLogin()
  switch (standing.kind) {
    case 'visitor':
      return (
        // The stored e-mail brings the details to this page.
        <Button size="md" onClick={() => login.open({ onSignedIn: () => undefined })}>
          Log in
        </Button>
      )
    case 'unpaid':
      return standing.url === null ? (
        <PlansLink />
      ) : (
        <a className={buttonClass({ look: 'go', size: 'md' })} href={standing.url}>
          Continue to payment
        </a>
      )
    case 'none':
      return <PlansLink />
    case 'activated':
      return (
        <Link className={buttonClass({ size: 'md' })} to="/receivables">
          Set up your receivables
        </Link>
      )
    case 'inactive':
    case 'not-yours':
    case 'unknown':
      return (
        <Link className={buttonClass({ size: 'md' })} to="/purchases">
          Go to your account dashboard
        </Link>
      )
    default:
      return null
  }
}

function PlansLink() {
  return (
    // This document may not load the script of the payment provider.
    <Link className={buttonClass({ size: 'md' })} to="/pricing" reloadDocument>
      See the plan
    </Link>
  )
}
