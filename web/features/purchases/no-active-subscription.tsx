import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import './no-active-subscription.css'

export function NoActiveSubscription({ onViewPlans }: { onViewPlans: () => void }) {
  return (
    <Panel title="No Active Subscription">
      <div className="no-plan">
        <p>
          No plan is running on this account. Reminders start within 48 business hours of the first
          payment.
        </p>
        <Button look="go" size="md" onClick={onViewPlans}>
          View Plans &amp; Subscribe
        </Button>
      </div>
    </Panel>
  )
}
