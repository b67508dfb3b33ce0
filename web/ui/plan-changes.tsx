import type { Instant } from '#contracts/instant'
import type { SubscriptionChange } from '#contracts/purchases'
import { formatDay } from '../lib/dates.ts'
import { formatMoney } from '../lib/money.ts'
import { unreachable } from '../lib/unreachable.ts'
import './plan-changes.css'

interface PlanChangesProps {
  readonly changes: readonly SubscriptionChange[]
  readonly now: Instant
}

/** Plan changes on a timeline, in the given order. Future changes have the accent color. */
export function PlanChanges({ changes, now }: PlanChangesProps) {
  return (
    <ol className="plan-changes">
      {changes.map((change) => (
        <li key={change.change_id} className={`plan-change-${markOf(change, now)}`}>
          <b>{titleOf(change.change_type)}</b>
          <p>{whatChanges(change)}</p>
          {change.proration_amount !== null && change.proration_amount !== 0 && (
            <Proration amount={change.proration_amount} currency={change.currency} />
          )}
          <p className="plan-change-dates num">{datesOf(change)}</p>
        </li>
      ))}
    </ol>
  )
}

function Proration({ amount, currency }: { amount: number; currency: string }) {
  const words = `${amount > 0 ? 'Charge' : 'Credit'} ${formatMoney(Math.abs(amount), currency)}`
  return <p className={amount > 0 ? 'num' : 'plan-change-credit num'}>{words}</p>
}

function titleOf(type: SubscriptionChange['change_type']): string {
  switch (type) {
    case 'upgrade':
      return 'Upgrade'
    case 'downgrade':
      return 'Downgrade'
    case 'cancellation':
      return 'Cancellation'
    default:
      return unreachable(type)
  }
}

function markOf(change: SubscriptionChange, now: Instant): 'cancelled' | 'next' | 'done' {
  if (change.change_type === 'cancellation') return 'cancelled'
  return change.effective_date > now ? 'next' : 'done'
}

function whatChanges(change: SubscriptionChange): string {
  const from = change.original_plan_name ?? change.previous_plan ?? change.old_plan
  const to = change.new_plan_name ?? change.new_plan
  if (change.change_type === 'cancellation') return from ?? ''
  return [from, to].filter(Boolean).join(' to ')
}

function datesOf({ change_date, effective_date }: SubscriptionChange): string {
  const asked = formatDay(change_date)
  const effective = formatDay(effective_date)
  return asked === effective ? `Effective ${effective}` : `Asked ${asked}. Effective ${effective}.`
}
