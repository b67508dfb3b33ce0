import type { ReactNode } from 'react'
import { readableAddress } from '#contracts/readable-address'
import type { Payment, Subscription } from '#contracts/purchases'
import { billingInterval, intervalLabel, perInterval } from '../../lib/billing-interval.ts'
import { formatLongDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { planName } from '../../lib/plan-name.ts'
import { Description, Descriptions } from '../../ui/descriptions.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { subscriptionStatus } from '../../ui/status-chip.tsx'
import type { Confirmation } from './use-confirmation.ts'
import '../../ui/panel.css'

/** Shows the payment, the subscription, or both. Without either it refers to the e-mail. */
export function Details({ confirmation, email }: { confirmation: Confirmation; email: string }) {
  const { standing, payment, subscription, loading, waiting } = confirmation
  return (
    <section
      className="panel confirmation-details"
      aria-label="Details"
      aria-busy={loading || waiting}
    >
      {loading && <LoadingDetails />}
      {!loading && payment && <PaymentDetails payment={payment} />}
      {!loading && subscription && <SubscriptionDetails subscription={subscription} />}
      {!loading && !payment && !subscription && (
        <div className="confirmation-block">
          <p>
            Your account details were sent to <b>{readableAddress(email)}</b>.
          </p>
        </div>
      )}
      {waiting && !(payment && subscription) && (
        <p className="confirmation-waiting" role="status">
          <Spinner />
          {standing.kind === 'none' || standing.kind === 'unknown'
            ? 'Looking for a purchase of this account. Loading details...'
            : 'The payment provider has not sent all details yet. Loading details...'}
        </p>
      )}
    </section>
  )
}

function LoadingDetails() {
  return (
    <div className="confirmation-block">
      <p className="sr-only" role="status">
        Loading details...
      </p>
      <Skeleton width="140px" height="24px" />
      <div className="confirmation-lines">
        {[0, 1, 2, 3].map((line) => (
          <Skeleton key={line} height="20px" />
        ))}
      </div>
    </div>
  )
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="confirmation-block">
      <h2>{title}</h2>
      <Descriptions>{children}</Descriptions>
    </div>
  )
}

function PaymentDetails({ payment }: { payment: Payment }) {
  return (
    <Block title="Payment Details">
      <Description term="Amount">
        <b>{formatMoney(payment.amount_total, payment.currency)}</b>
      </Description>
      <Description term="Date">{formatLongDay(payment.created_at)}</Description>
      <Description term="Status">{payment.payment_status}</Description>
      {payment.payment_method !== null && (
        <Description term="Payment method">{payment.payment_method}</Description>
      )}
    </Block>
  )
}

function SubscriptionDetails({ subscription }: { subscription: Subscription }) {
  const {
    metadata,
    plan_interval,
    interval,
    price,
    currency,
    status,
    current_period_start,
    current_period_end,
  } = subscription
  return (
    <Block title="Subscription Details">
      <Description term="Plan">
        <b>{planName(subscription)}</b>
      </Description>
      <Description term="Status">{subscriptionStatus(status).label}</Description>
      <Description term="Billed">
        {intervalLabel(metadata.custom_interval ?? (plan_interval || interval))}
      </Description>
      <Description term="Price">
        {formatMoney(price, currency)}/{perInterval(billingInterval(subscription))}
      </Description>
      <Description term="Current period">
        {formatLongDay(current_period_start)} to {formatLongDay(current_period_end)}
      </Description>
    </Block>
  )
}
