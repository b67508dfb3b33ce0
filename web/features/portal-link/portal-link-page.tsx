import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { LogInFirst } from '../../ui/log-in-first.tsx'
import { OwnPortal } from './own-portal.tsx'
import type { PortalLink } from './portal-link.ts'
import '../../ui/customer-page.css'

/** The link of mails and texts about a payment that failed or a card that expires. */
export function UpdateCardPage() {
  return (
    <PortalLinkPage
      link={{ action: 'payment_method', title: 'Payment method', goal: 'your payment method' }}
    />
  )
}

/** The link of mails about a payment that failed: the invoice, on which the customer pays it. */
export function PayPage() {
  return <PortalLinkPage link={{ action: 'pay', title: 'Your payment', goal: 'your payment' }} />
}

/** The page behind the other portal links of mails, for a browser without a session. */
export function ManagePlanPage() {
  return <PortalLinkPage link={{ action: 'manage', title: 'Your plan', goal: 'your plan' }} />
}

/**
 * Leads to the provider's portal, after a login if there is no session. The address names no
 * subscription and no destination: the session's own plan decides.
 */
function PortalLinkPage({ link }: { link: PortalLink }) {
  usePageTitle(link.title)
  const email = useStored('userEmail')
  return (
    <div className="customer-page">
      {email === null ? (
        <LogInFirst title={link.title} goal={link.goal} />
      ) : (
        // Another account starts from the beginning.
        <OwnPortal key={email} email={email} link={link} />
      )}
    </div>
  )
}
