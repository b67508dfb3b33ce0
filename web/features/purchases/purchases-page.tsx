import { useEffect, useState, type ComponentType } from 'react'
import { brand } from '#contracts/brand/brand'
import type { Instant } from '#contracts/instant'
import type { PaymentsResponse, Subscription } from '#contracts/purchases'
import { blocksSecondSubscription } from '#contracts/subscription-status'
import { useGetPurchasesQuery } from '../../api/purchases-api.ts'
import { useGetSessionQuery } from '../../api/session-api.ts'
import { focusPageHeading } from '../../lib/focus-heading.ts'
import { usePaymentScript } from '../../lib/payment-script.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CustomerPage } from '../../ui/customer-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SandboxClock } from '../../ui/sandbox-line.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ActivePlan } from './active-plan.tsx'
import { changeSentence } from './change-sentence.ts'
import { CompanyInformation } from './company-information.tsx'
import { NoActiveSubscription } from './no-active-subscription.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { PlanChangeHistory } from './plan-change-history.tsx'
import { PurchasesSkeleton } from './purchases-skeleton.tsx'
import { openSubscriptions } from './subscriptions.ts'
import { TransactionHistory } from './transaction-history.tsx'
import { usePortalReturn } from './use-portal-return.ts'
import './purchases-page.css'

/**
 * A cached response up to this age is shown without a request, so that opening this page from the
 * confirmation page needs no second request. An older response is shown and refetched.
 */
const freshForSeconds = 30

interface PlansDialogProps {
  /** The subscription that blocks a second subscription; null if the customer can subscribe. */
  readonly current: Subscription | null
  readonly onClose: () => void
}

interface PurchasesPageProps {
  /** The dialog that 'View Plans & Subscribe' opens. */
  readonly PlansDialog: ComponentType<PlansDialogProps>
}

export function PurchasesPage({ PlansDialog }: PurchasesPageProps) {
  usePaymentScript()
  return (
    <CustomerPage title="Purchase History" goal="your purchases" visitorsGo="home">
      {(email) => <PurchaseHistory email={email} PlansDialog={PlansDialog} />}
    </CustomerPage>
  )
}

function PurchaseHistory({ email, PlansDialog }: PurchasesPageProps & { email: string }) {
  const purchases = useGetPurchasesQuery({ email }, { refetchOnMountOrArgChange: freshForSeconds })
  const session = useGetSessionQuery()
  const { isSyncing, changes } = usePortalReturn()
  const failed = purchases.isError || session.isError

  useEffect(() => {
    if (failed) showToast('error', 'Failed to load data')
  }, [failed])

  const retry = () => {
    focusPageHeading()
    if (purchases.isError) void purchases.refetch()
    if (session.isError) void session.refetch()
  }

  return (
    <>
      <PageHead
        title="Purchase History"
        note={purchases.currentData?.companyInfo?.name ?? email}
        actions={
          <>
            <p className="purchases-syncing" role="status">
              {isSyncing && (
                <>
                  <Spinner />
                  Checking for changes...
                </>
              )}
            </p>
            <a className={buttonClass({ look: 'line' })} href={`mailto:${brand.supportEmail}`}>
              Contact support
            </a>
          </>
        }
      />
      <SandboxClock session={session.currentData} />
      {changes.length > 0 && (
        <div className="purchases-changed">
          <Notice>{changes.map(changeSentence).join(' ')}</Notice>
        </div>
      )}
      {failed && (
        <LoadFailure retrying={purchases.isFetching || session.isFetching} onRetry={retry} />
      )}
      {!failed && purchases.currentData && session.currentData && (
        <Purchases
          purchases={purchases.currentData}
          now={session.currentData.now}
          PlansDialog={PlansDialog}
        />
      )}
      {!failed && !(purchases.currentData && session.currentData) && <PurchasesSkeleton />}
    </>
  )
}

function Purchases({
  purchases,
  now,
  PlansDialog,
}: PurchasesPageProps & { purchases: PaymentsResponse; now: Instant }) {
  const [showsPlans, setShowsPlans] = useState(false)
  const subscriptions = openSubscriptions(purchases)
  const viewPlans = () => setShowsPlans(true)
  return (
    <div className="purchases-grid">
      <div className="purchases-plan">
        {subscriptions.length > 0 ? (
          <ActivePlan
            subscriptions={subscriptions}
            paymentMethod={purchases.defaultPaymentMethod}
            now={now}
            onViewPlans={viewPlans}
          />
        ) : (
          <NoActiveSubscription onViewPlans={viewPlans} />
        )}
      </div>
      <div className="purchases-company">
        <CompanyInformation companyInfo={purchases.companyInfo} userInfo={purchases.userInfo} />
      </div>
      <div className="purchases-money">
        <TransactionHistory transactions={purchases.transactions} />
        {purchases.transactions.length === 0 && purchases.payments.length > 0 && (
          <PaymentDetails payments={purchases.payments} />
        )}
      </div>
      <div className="purchases-changes">
        <PlanChangeHistory userId={purchases.userInfo.user_id} now={now} />
      </div>
      {showsPlans && (
        <PlansDialog
          current={subscriptions.find(({ status }) => blocksSecondSubscription(status)) ?? null}
          onClose={() => setShowsPlans(false)}
        />
      )}
    </div>
  )
}

function LoadFailure({ retrying, onRetry }: { retrying: boolean; onRetry: () => void }) {
  return (
    <Panel title="Your purchases could not be loaded">
      <p className="muted">
        The server did not answer as it should. Nothing has changed on your account.
      </p>
      <Button className="purchases-retry" look="line" busy={retrying} onClick={onRetry}>
        Retry
      </Button>
    </Panel>
  )
}
