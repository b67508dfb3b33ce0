import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { featureLabels, type PlanFeatures } from '#contracts/brand/plan-catalogue'
import { toMajorUnits } from '#contracts/currency'
import { plans, publicPlan } from '#contracts/plans'
import type { Subscription } from '#contracts/purchases'
import { isActive } from '#contracts/subscription-status'
import { goToCheckout } from '../../api/go-to-checkout.ts'
import { useSyncBillingMutation } from '../../api/subscriptions-api.ts'
import { billingInterval, perInterval } from '../../lib/billing-interval.ts'
import { useLogin } from '../../lib/login-request.ts'
import { formatMoney } from '../../lib/money.ts'
import { usePaymentScript } from '../../lib/payment-script.ts'
import { planName } from '../../lib/plan-name.ts'
import { readStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusChips, subscriptionStatus } from '../../ui/status-chip.tsx'
import { PlanOptions } from './plan-options.tsx'
import './subscription-dialog.css'

interface SubscriptionDialogProps {
  /**
   * The customer's subscription, if it blocks a second subscription. The dialog then shows this
   * plan, and Manage Plan instead of Subscribe Now.
   */
  readonly current: Subscription | null
  readonly onClose: () => void
}

/**
 * The customer's plan to manage it, or else the public plan to buy it. The dialog synchronizes once
 * with the payment provider: after a lost webhook, a subscription that has ended would block a new
 * one. A failed sync is silent, because the server checks again before each checkout.
 */
export function SubscriptionDialog({ current, onClose }: SubscriptionDialogProps) {
  usePaymentScript()
  const titleId = useId()
  const [syncBilling, { isLoading: isSyncing }] = useSyncBillingMutation()
  useEffect(() => {
    void syncBilling()
  }, [syncBilling])
  const shown = current === null ? onSale : bought(current)
  return (
    <Dialog labelledBy={titleId} width="wide" onClose={onClose}>
      <h2 className="subscription-title" id={titleId}>
        {current === null ? brand.subscriptionTitle : 'Upgrade Your Plan'}
      </h2>
      <div className="subscription-plan">
        <h3>{shown.name}</h3>
        <p className="num">
          {shown.price}
          <small>/{shown.interval}</small>
        </p>
      </div>
      {current !== null && (
        <PlanOptions subscriptionId={current.subscription_id} isSyncing={isSyncing} />
      )}
      {shown.features !== null && <Features features={shown.features} />}
      {current === null ? <SubscribeNow /> : <CurrentPlan current={current} onManage={onClose} />}
    </Dialog>
  )
}

interface ShownPlan {
  readonly name: string
  readonly price: string
  readonly interval: string
  /** Null for a plan outside the catalogue. */
  readonly features: PlanFeatures | null
}

/** Only a customer can move to the plans that the public pages do not show. */
const longerPlans = `Once subscribed, you can move to the ${plans
  .filter((plan) => !plan.public)
  .map(
    ({ name, features }) => `${name} (${features.feeOnCustomerPayments} fee on customer payments)`,
  )
  .join(' or the ')} here.`

const onSale: ShownPlan = {
  name: publicPlan.name,
  price: formatMoney(toMajorUnits(publicPlan.amount, publicPlan.currency), publicPlan.currency),
  interval: publicPlan.interval,
  features: publicPlan.features,
}

function bought(subscription: Subscription): ShownPlan {
  return {
    name: planName(subscription),
    price: formatMoney(subscription.price, subscription.currency),
    interval: perInterval(billingInterval(subscription)),
    features: plans.find(({ id }) => id === subscription.plan_id)?.features ?? null,
  }
}

function Features({ features }: { features: PlanFeatures }) {
  return (
    <dl className="subscription-features">
      {featureLabels.map(({ key, label }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{featureValue(features[key])}</dd>
        </div>
      ))}
    </dl>
  )
}

function featureValue(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? 'Included' : 'Not included'
}

function CurrentPlan({ current, onManage }: { current: Subscription; onManage: () => void }) {
  const navigate = useNavigate()
  return (
    <footer className="subscription-actions">
      {isActive(current.status) ? (
        <Chip tone="active">Currently Active</Chip>
      ) : (
        <StatusChips labels={[subscriptionStatus(current.status)]} />
      )}
      <Button
        size="md"
        onClick={() => {
          void navigate('/purchases')
          onManage()
        }}
      >
        Manage Plan
      </Button>
    </footer>
  )
}

function SubscribeNow() {
  const [loading, setLoading] = useState(false)
  const login = useLogin()

  async function subscribe(): Promise<void> {
    const email = readStored('userEmail')
    if (email === null) {
      showToast('error', 'You need to be logged in')
      return
    }
    setLoading(true)
    const outcome = await goToCheckout(publicPlan.id, email)
    if (outcome === 'signed-out') showToast('error', 'You need to be logged in')
    if (outcome === 'profile-missing')
      login.open({ profileOf: email, onSignedIn: () => void subscribe() })
    // While the browser navigates to the checkout, the button stays disabled: a second press would
    // start a second checkout.
    if (outcome !== 'leaving') setLoading(false)
  }

  return (
    <footer className="subscription-actions">
      <p className="muted">
        Billed monthly. Cancel at any time; the plan runs to the end of the period paid for.{' '}
        {longerPlans}
      </p>
      <Button look="go" size="md" busy={loading} onClick={() => void subscribe()}>
        Subscribe Now
      </Button>
    </footer>
  )
}
