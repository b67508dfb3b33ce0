import { onboardingTime } from '#contracts/onboarding-text'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import './no-active-subscription.css'

export function NoActiveSubscription({ onViewPlans }: { onViewPlans: () => void }) {
  return (
    <Panel title="No Active Subscription">
      <div className="no-plan">
        <p>
          No plan is running on this account. Onboarding takes up to {onboardingTime} from the start
          of a plan. Then you have full access.
        </p>
        <Button look="go" size="md" onClick={onViewPlans}>
          View Plans &amp; Subscribe
        </Button>
      </div>
    </Panel>
  )
}
