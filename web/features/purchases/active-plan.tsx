import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Instant } from '#contracts/instant'
import type { DefaultPaymentMethod, Subscription } from '#contracts/purchases'
import { usePortal } from '../../api/use-portal.ts'
import { billingInterval, cadence, perInterval } from '../../lib/billing-interval.ts'
import { countDays, daysLeft, formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { planName } from '../../lib/plan-name.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { planBadges, StatusChips } from '../../ui/status-chip.tsx'
import { BillingPeriod } from './billing-period.tsx'
import { chargesUntilEnd } from './change-sentence.ts'
import { KeepPlanDialog } from './keep-plan-dialog.tsx'
import { endOf, isCancelling, isOwing, nextBilling, startsLater } from './subscriptions.ts'
import { UnpaidNotice } from './unpaid-notice.tsx'
import './active-plan.css'

interface ActivePlanProps {
  /** The subscriptions that have not ended, the running ones first. At least one. */
  readonly subscriptions: readonly Subscription[]
  /** What the provider charges next; null if it is unknown. */
  readonly paymentMethod: DefaultPaymentMethod | null
  readonly now: Instant
  readonly onViewPlans: () => void
}

export function ActivePlan({ subscriptions, paymentMethod, now, onViewPlans }: ActivePlanProps) {
  const running = subscriptions.filter((subscription) => !startsLater(subscription, now))
  const upcoming = subscriptions.filter((subscription) => startsLater(subscription, now))
  const isFollowed = (next: Subscription) =>
    running.some(({ subscription_id }) => subscription_id === next.previous_subscription_id)
  /** A plan without a known predecessor is shown below the last plan. */
  const followersOf = (subscription: Subscription) =>
    upcoming.filter((next) =>
      isFollowed(next)
        ? next.previous_subscription_id === subscription.subscription_id
        : subscription === running.at(-1),
    )
  return (
    <Panel
      title="Active Plan"
      padded={false}
      actions={
        <>
          <Link className={buttonClass({ look: 'line', size: 'sm' })} to="/receivables">
            Receivables
          </Link>
          <Button className="plan-view" look="quiet" size="sm" onClick={onViewPlans}>
            View plans
          </Button>
        </>
      }
    >
      {running.map((subscription) => (
        <article key={subscription.subscription_id} className="plan">
          <RunningPlan subscription={subscription} paymentMethod={paymentMethod} now={now} />
          {followersOf(subscription).map((next) => (
            <UpcomingPlan key={next.subscription_id} subscription={next} />
          ))}
          <PlanActions subscription={subscription} />
        </article>
      ))}
      {running.length === 0 &&
        upcoming.map((next) => (
          <article key={next.subscription_id} className="plan">
            <UpcomingPlan subscription={next} />
            <PlanActions subscription={next} />
          </article>
        ))}
    </Panel>
  )
}

function RunningPlan({
  subscription,
  paymentMethod,
  now,
}: {
  subscription: Subscription
  paymentMethod: DefaultPaymentMethod | null
  now: Instant
}) {
  const { open, opening } = usePortal(subscription.subscription_id)
  const owes = isOwing(subscription)
  return (
    <div className="plan-body">
      <div className="plan-title">
        <h3>{planName(subscription)}</h3>
        <Price subscription={subscription} />
      </div>
      <div className="plan-badges">
        <StatusChips labels={planBadges(subscription)} />
      </div>
      {subscription.status === 'paused' && (
        <p className="plan-notice">The plan is paused. {pauseNotice(subscription)}</p>
      )}
      <EndNotice subscription={subscription} />
      {owes ? (
        <UnpaidNotice
          subscription={subscription}
          paymentMethod={paymentMethod?.name ?? null}
          isOpening={opening === 'pay'}
          onPay={() => void open('pay')}
        />
      ) : (
        <PaidPeriod subscription={subscription} now={now} />
      )}
      <Billing subscription={subscription} paymentMethod={paymentMethod} now={now} />
    </div>
  )
}

/** A period that is not paid, such as that of an invoice that was voided, is no paid time. */
function PaidPeriod({ subscription, now }: { subscription: Subscription; now: Instant }) {
  const { current_period_start, current_period_end, paid_until } = subscription
  if (paid_until !== null && paid_until < current_period_end)
    return (
      <p className="plan-notice">
        Your plan {paid_until < now ? 'was' : 'is'} paid until {formatDay(paid_until)}. No payment
        covers the present period yet.
      </p>
    )
  return <BillingPeriod start={current_period_start} end={current_period_end} now={now} />
}

function UpcomingPlan({ subscription }: { subscription: Subscription }) {
  return (
    <div className="plan-next">
      <ArrowRightIcon />
      <p>
        <b>{planName(subscription)}</b>{' '}
        <span className="muted num">
          {priceLine(subscription)} from {unbroken(formatDay(subscription.current_period_start))}
        </span>
      </p>
      <div className="plan-badges">
        <StatusChips labels={planBadges(subscription).slice(1)} />
      </div>
    </div>
  )
}

function Price({ subscription }: { subscription: Subscription }) {
  return (
    <p className="plan-price num">
      {formatMoney(subscription.price, subscription.currency)}
      <small>/{perInterval(billingInterval(subscription))}</small>
    </p>
  )
}

/** With spaces at which no line breaks. */
const unbroken = (date: string) => date.replaceAll(' ', '\u00a0')

const priceLine = (subscription: Subscription) =>
  `${formatMoney(subscription.price, subscription.currency)}/${perInterval(billingInterval(subscription))}`

/** What a scheduled cancellation means. A pause has a notice of its own. */
function EndNotice({ subscription }: { subscription: Subscription }) {
  const end = endOf(subscription)
  if (end === null || subscription.status === 'paused') return null
  return (
    <p className="plan-notice">
      Your plan ends on {formatDay(end)}. {chargesUntilEnd(nextBilling(subscription))}
    </p>
  )
}

function pauseNotice(subscription: Subscription): string {
  const { resumes_at } = subscription
  // A cancellation can end the plan before the pause ends.
  if (isCancelling(subscription)) return 'No payment is collected during the pause.'
  return resumes_at === null
    ? 'No payment is collected until it resumes.'
    : `It resumes on ${formatDay(resumes_at)}.`
}

function Billing({
  subscription,
  paymentMethod,
  now,
}: {
  subscription: Subscription
  paymentMethod: DefaultPaymentMethod | null
  now: Instant
}) {
  return (
    <dl className="plan-billing">
      {isOwing(subscription) ? (
        <OwedDates subscription={subscription} />
      ) : (
        <BillingDates subscription={subscription} now={now} />
      )}
      {paymentMethod === null ? (
        <BillingDate label="Billed">{cadence(billingInterval(subscription))}</BillingDate>
      ) : (
        <BillingDate label="Payment method">{methodInWords(paymentMethod)}</BillingDate>
      )}
    </dl>
  )
}

const methodInWords = ({ name, expires }: DefaultPaymentMethod) =>
  expires === null ? name : `${name}, expires ${expires}`

/** What is to be paid, and when the provider tries it next. */
function OwedDates({ subscription }: { subscription: Subscription }) {
  const [invoice] = subscription.unpaid_invoices
  const end = endOf(subscription)
  return (
    <>
      {invoice !== undefined && (
        <>
          <BillingDate label="Amount due">
            {formatMoney(invoice.amount, invoice.currency)}
          </BillingDate>
          <BillingDate label="Next attempt">
            {invoice.next_attempt_at === null ? 'None planned' : formatDay(invoice.next_attempt_at)}
          </BillingDate>
        </>
      )}
      {end !== null && <BillingDate label="Cancels on">{formatDay(end)}</BillingDate>}
    </>
  )
}

/** The next billing, and the end of a plan that is canceled: each only if it comes. */
function BillingDates({ subscription, now }: { subscription: Subscription; now: Instant }) {
  const end = endOf(subscription)
  const next = nextBilling(subscription)
  if (end !== null)
    return (
      <>
        {next !== null && <BillingDate label="Next billing">{formatDay(next)}</BillingDate>}
        <BillingDate label="Cancels on">{formatDay(end)}</BillingDate>
        {next === null && (
          <BillingDate label="Until cancellation">{countDays(daysLeft(now, end))}</BillingDate>
        )}
      </>
    )
  const { resumes_at } = subscription
  return next === null ? (
    <>
      <BillingDate label="Next billing">Paused</BillingDate>
      <BillingDate label="Resumes on">
        {resumes_at === null ? 'No date set' : formatDay(resumes_at)}
      </BillingDate>
    </>
  ) : (
    <>
      <BillingDate label="Next billing">{formatDay(next)}</BillingDate>
      <BillingDate label="Remaining">{countDays(daysLeft(now, next))}</BillingDate>
    </>
  )
}

function BillingDate({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="label">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function PlanActions({ subscription }: { subscription: Subscription }) {
  const { open, opening } = usePortal(
    // A planned plan is a part of the running subscription.
    subscription.previous_subscription_id ?? subscription.subscription_id,
  )
  const [search] = useSearchParams()
  // The mail about the cancellation leads to this question.
  const isAsked = search.get('keep') === subscription.subscription_id
  const [asksToKeep, setAsksToKeep] = useState(isAsked && isCancelling(subscription))
  return (
    <footer className="plan-actions">
      <Button
        // The payment is the primary action of a plan that is not paid.
        look={isOwing(subscription) ? 'line' : 'ink'}
        busy={opening === 'manage'}
        onClick={() => open('manage')}
      >
        Manage Plan
      </Button>
      <Button
        look="line"
        busy={opening === 'payment_method'}
        onClick={() => open('payment_method')}
      >
        Update payment method
      </Button>
      {/* One element for both, so that it keeps the focus when the plan is kept. */}
      <Button
        look={isCancelling(subscription) ? 'line' : 'quiet'}
        busy={opening === 'cancel'}
        onClick={() => (isCancelling(subscription) ? setAsksToKeep(true) : open('cancel'))}
      >
        {isCancelling(subscription) ? 'Keep plan' : 'Cancel plan'}
      </Button>
      {asksToKeep && (
        <KeepPlanDialog subscription={subscription} onClose={() => setAsksToKeep(false)} />
      )}
    </footer>
  )
}
