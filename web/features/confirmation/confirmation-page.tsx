import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Details } from './details.tsx'
import { PaidMark } from './paid-mark.tsx'
import { useConfirmation } from './use-confirmation.ts'
import './confirmation-page.css'

/** The page that the hosted checkout redirects to. */
export function ConfirmationPage() {
  usePageTitle('Subscription Activated')
  const email = useStored('userEmail')
  const businessName = useStored('businessName')
  const confirmation = useConfirmation(email)
  return (
    <div className="confirmation">
      <meta name="robots" content="noindex" />
      <header className="confirmation-head">
        <PaidMark />
        <h1>Subscription Activated!</h1>
        <p>
          {businessName === null
            ? 'Thank you. Your plan is running.'
            : `Thank you, ${businessName}. Your plan is running.`}
        </p>
      </header>
      <div className="confirmation-grid">
        <Details confirmation={confirmation} email={email} />
        <WhatHappensNext />
      </div>
    </div>
  )
}

function WhatHappensNext() {
  return (
    <section className="next-steps" aria-labelledby="next-steps">
      <h2 id="next-steps">What happens next</h2>
      <ol>
        <li>
          <Mark kind="paid" />
          <h3>Paid</h3>
          <p>Your payment went through the hosted checkout.</p>
        </li>
        <li>
          <Mark kind="now" />
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
