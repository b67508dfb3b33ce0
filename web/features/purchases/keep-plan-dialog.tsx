import { useState } from 'react'
import type { Subscription } from '#contracts/purchases'
import { useKeepPlanMutation } from '../../api/purchases-api.ts'
import { billingInterval, perInterval } from '../../lib/billing-interval.ts'
import { formatDay } from '../../lib/dates.ts'
import { errorText, isApiError } from '../../lib/http.ts'
import { formatMoney } from '../../lib/money.ts'
import { planName } from '../../lib/plan-name.ts'
import { showToast } from '../../lib/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { endOf, isOwing } from './subscriptions.ts'

interface KeepPlanDialogProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

/** Says what follows if the cancellation is withdrawn, and withdraws it. */
export function KeepPlanDialog({ subscription, onClose }: KeepPlanDialogProps) {
  const [keepPlan, { isLoading }] = useKeepPlanMutation()
  const [problem, setProblem] = useState<string | null>(null)
  const plan = planName(subscription)

  const keep = async () => {
    setProblem(null)
    const { data, error } = await keepPlan({ subscriptionId: subscription.subscription_id })
    if (data === undefined) {
      const text = errorText(error, notKept)
      // The page then shows that the plan has ended, and no longer has this dialog.
      if (isApiError(error) && error.status === 409) {
        showToast('error', text)
        onClose()
      } else setProblem(text)
      return
    }
    const renewal = data.renews_at === null ? '' : ` It renews on ${formatDay(data.renews_at)}.`
    showToast('success', `Your ${data.plan} continues.${renewal}`)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Keep the ${plan}?`}
      action="Keep plan"
      isRisky={false}
      dismiss="Not now"
      busy={isLoading}
      problem={problem}
      onConfirm={() => void keep()}
      onClose={onClose}
    >
      <p>{consequences(subscription)}</p>
    </ConfirmDialog>
  )
}

const notKept =
  'The cancellation could not be withdrawn. Your plan is still set to end. Please try again.'

function consequences(subscription: Subscription): string {
  const end = endOf(subscription)
  const stays =
    end === null
      ? 'Your plan continues.'
      : `Your plan no longer ends on ${formatDay(end)}. It renews until you cancel it again.`
  if (subscription.status === 'paused') return `${stays} No payment is collected during the pause.`
  if (isOwing(subscription)) return `${stays} ${whatStaysDue(subscription)}`
  const price = `${formatMoney(subscription.price, subscription.currency)}/${perInterval(billingInterval(subscription))}`
  return `${stays} Nothing is charged now. The next payment is due on ${formatDay(subscription.current_period_end)}: ${price}, before tax and discounts.`
}

/** The provider tries an unpaid payment again, so the dialog cannot say that nothing is charged. */
function whatStaysDue({ unpaid_invoices: [invoice] }: Subscription): string {
  if (invoice === undefined) return 'The unpaid payment of your plan stays due.'
  const { amount, currency, next_attempt_at } = invoice
  const due = `The unpaid ${formatMoney(amount, currency)} stays due`
  return next_attempt_at === null
    ? `${due}.`
    : `${due}: we try again on ${formatDay(next_attempt_at)}.`
}
