import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { toMajorUnits } from '#contracts/currency'
import { featureLabels, publicPlan } from '#contracts/plans'
import { startCheckout } from '../../api/start-checkout.ts'
import { useSyncBillingMutation } from '../../api/subscriptions-api.ts'
import { formatMoney } from '../../lib/money.ts'
import { readStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import './subscription-dialog.css'

const plan = publicPlan

interface SubscriptionDialogProps {
  /** If true, the dialog offers Manage Plan instead of Subscribe Now. */
  readonly isSecondSubscriptionBlocked: boolean
  readonly onClose: () => void
}

/**
 * The public plan with price and features, to buy or to manage it. The dialog synchronizes once
 * with the payment provider: after a lost webhook, a subscription that has ended would block a new
 * one. A failed sync is silent, because the server checks again before each checkout.
 */
export function SubscriptionDialog({
  isSecondSubscriptionBlocked,
  onClose,
}: SubscriptionDialogProps) {
  const titleId = useId()
  const [syncBilling] = useSyncBillingMutation()
  useEffect(() => {
    void syncBilling()
  }, [syncBilling])
  return (
    <Dialog labelledBy={titleId} width="wide" onClose={onClose}>
      <h2 className="subscription-title" id={titleId}>
        {isSecondSubscriptionBlocked ? 'Upgrade Your Plan' : 'Agile Subscription'}
      </h2>
      <div className="subscription-plan">
        <h3>{plan.name}</h3>
        <p className="num">
          {formatMoney(toMajorUnits(plan.amount, plan.currency), plan.currency)}
          <small>/{plan.interval}</small>
        </p>
      </div>
      <dl className="subscription-features">
        {featureLabels.map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{featureValue(plan.features[key])}</dd>
          </div>
        ))}
      </dl>
      {isSecondSubscriptionBlocked ? <CurrentPlan onManage={onClose} /> : <SubscribeNow />}
    </Dialog>
  )
}

function featureValue(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? 'Included' : 'Not included'
}

function CurrentPlan({ onManage }: { onManage: () => void }) {
  const navigate = useNavigate()
  return (
    <footer className="subscription-actions">
      <Chip tone="active">Currently Active</Chip>
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

  async function subscribe(): Promise<void> {
    const email = readStored('userEmail')
    if (email === null) {
      showToast('error', 'You need to be logged in')
      return
    }
    setLoading(true)
    const outcome = await startCheckout(plan.id, email)
    if (outcome === 'signed-out') showToast('error', 'You need to be logged in')
    // While the browser navigates to the checkout, the button stays disabled: a second press would
    // open a second checkout.
    if (outcome !== 'leaving') setLoading(false)
  }

  return (
    <footer className="subscription-actions">
      <p className="muted">
        Billed monthly. Cancel at any time; the plan runs to the end of the period paid for.
      </p>
      <Button look="go" size="md" busy={loading} onClick={() => void subscribe()}>
        Subscribe Now
      </Button>
    </footer>
  )
}
