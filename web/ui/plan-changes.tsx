import { Fragment } from 'react'
import { parseInterval } from '#contracts/billing-interval'
import { codeInWords } from '#contracts/code-in-words'
import type { Instant } from '#contracts/instant'
import type { SubscriptionChange } from '#contracts/purchases'
import { cadence } from '../lib/billing-interval.ts'
import { formatDay } from '../lib/dates.ts'
import { formatMoney } from '../lib/money.ts'
import { ofNewerRelease } from '../lib/of-newer-release.ts'
import { Chip } from './chip.tsx'
import './plan-changes.css'

interface PlanChangesProps {
  readonly changes: readonly SubscriptionChange[]
  readonly now: Instant
}

/**
 * Plan changes on a timeline, in the given order. Future changes have the accent color. A withdrawn
 * change stays in the list with its date of withdrawal.
 */
export function PlanChanges({ changes, now }: PlanChangesProps) {
  return (
    <ol className="plan-changes">
      {changes.map((change) => (
        <li key={change.change_id} className={`plan-change-${markOf(change, now)}`}>
          <div className="plan-change-title">
            <b>{titleOf(change.change_type)}</b>
            {change.withdrawn_date !== null && <Chip tone="ended">Withdrawn</Chip>}
          </div>
          <p>{whatChanges(change)}</p>
          {change.proration_amount !== null && change.proration_amount !== 0 && (
            <Proration amount={change.proration_amount} currency={change.currency} />
          )}
          <p className="plan-change-dates num">
            {datesOf(change).map((sentence, index) => (
              <Fragment key={sentence}>
                {index > 0 && ' '}
                <span className="nowrap">{sentence}</span>
              </Fragment>
            ))}
          </p>
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
      return codeInWords(ofNewerRelease(type))
  }
}

function markOf(
  change: SubscriptionChange,
  now: Instant,
): 'withdrawn' | 'cancelled' | 'next' | 'done' {
  if (change.withdrawn_date !== null) return 'withdrawn'
  if (change.change_type === 'cancellation') return 'cancelled'
  return change.effective_date > now ? 'next' : 'done'
}

function whatChanges(change: SubscriptionChange): string {
  const from = change.original_plan_name ?? change.previous_plan ?? change.old_plan
  const to = change.new_plan_name ?? change.new_plan
  if (change.change_type === 'cancellation') return from ?? ''
  if (from !== to) return [from, to].filter(Boolean).join(' to ')
  const { old_interval, new_interval } = change
  if (old_interval === null || new_interval === null || old_interval === new_interval)
    return `${to ?? 'Plan'}, new price or quantity`
  const words = (interval: string) => cadence(parseInterval(interval))
  return `${to ?? 'Plan'}, ${words(old_interval)} to ${words(new_interval)}`
}

/** Sentences: a line breaks between them and never inside a date. */
function datesOf({ change_date, effective_date, withdrawn_date }: SubscriptionChange): string[] {
  const requested = formatDay(change_date)
  if (withdrawn_date !== null)
    return [`Requested ${requested}.`, `Withdrawn ${formatDay(withdrawn_date)}.`]
  const effective = formatDay(effective_date)
  return requested === effective
    ? [`Effective ${effective}`]
    : [`Requested ${requested}.`, `Effective ${effective}.`]
}
