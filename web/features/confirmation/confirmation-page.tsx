import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { SessionEnded } from '../../ui/session-ended.tsx'
import { Details } from './details.tsx'
import { PaidMark } from './paid-mark.tsx'
import { useConfirmation, type Confirmation } from './use-confirmation.ts'
import './confirmation-page.css'

/**
 * The page that the hosted checkout redirects to. A visitor sees its fallback text. A customer
 * whose session has ended gets a login.
 */
export function ConfirmationPage() {
  usePageTitle('Subscription Activated')
  const email = useStored('userEmail')
  const hasEnded = useStored('customerSessionEnded') !== null
  return (
    <div className="confirmation">
      {email === null && hasEnded ? (
        <SessionEnded title="Subscription Activated!" />
      ) : (
        <ActivatedSubscription email={email} />
      )}
    </div>
  )
}

function ActivatedSubscription({ email }: { email: string | null }) {
  const businessName = useStored('businessName')
  const confirmation = useConfirmation(email)
  return (
    <>
      <header
        className={
          confirmation.isBought ? 'confirmation-head confirmation-bought' : 'confirmation-head'
        }
      >
        {confirmation.isBought && <PaidMark />}
        <h1>Subscription Activated!</h1>
        <p>
          {businessName === null ? 'Thank you.' : `Thank you, ${businessName}.`}{' '}
          {planSentence(confirmation)}
        </p>
      </header>
      <div className="confirmation-grid">
        <Details confirmation={confirmation} email={email} />
        <WhatHappensNext isBought={confirmation.isBought} />
      </div>
    </>
  )
}

/** The title is fixed by the specification. This sentence says what is known about the plan. */
function planSentence({ subscription, loading, isBought }: Confirmation): string {
  if (subscription !== null) return 'Your plan is running.'
  if (isBought) return 'Your plan is being set up.'
  return loading ? '' : 'This page has found no active plan yet.'
}

function WhatHappensNext({ isBought }: { isBought: boolean }) {
  return (
    <section className="next-steps" aria-labelledby="next-steps">
      <h2 id="next-steps">What happens next</h2>
      <ol>
        <li>
          <Mark kind={isBought ? 'paid' : 'now'} />
          <h3>{isBought ? 'Paid' : 'Payment'}</h3>
          <p>
            {isBought
              ? 'Your payment went through the hosted checkout.'
              : 'You pay for a plan in the hosted checkout.'}
          </p>
        </li>
        <li>
          <Mark kind={isBought ? 'now' : 'change'} />
          <h3>Onboarding</h3>
          <p>It takes up to 48 business hours. Then you have full access.</p>
        </li>
        <li>
          <Mark kind="change" />
          <h3>Your account dashboard</h3>
          <p>
            Subscription management, billing history and payment-method updates are in your{' '}
            <Link to="/purchases">account dashboard</Link>.
          </p>
        </li>
      </ol>
      <p className="next-steps-help">
        Questions? Write to customer service at{' '}
        <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
      </p>
      <Link className={buttonClass({ size: 'md' })} to="/">
        Return to Home
      </Link>
    </section>
  )
}
