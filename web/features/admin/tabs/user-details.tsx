import type { AdminUser } from '#contracts/admin/users'
import type { Instant } from '#contracts/instant'
import type { Subscription } from '#contracts/purchases'
import { readableAddress } from '#contracts/readable-address'
import { hasEnded } from '#contracts/subscription-status'
import { userTypeName } from '#contracts/user-types'
import { Link } from 'react-router-dom'
import { useGetUserPlanChangesQuery } from '../../../api/admin-api.ts'
import { useGetUserSubscriptionsQuery } from '../../../api/subscriptions-api.ts'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { billingInterval, perInterval } from '../../../lib/billing-interval.ts'
import { calendarDaysBetween, formatDay, formatExactTime } from '../../../lib/dates.ts'
import { formatCount, formatMoney } from '../../../lib/money.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import { PlanChanges } from '../../../ui/plan-changes.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { planBadges, StatusChips } from '../../../ui/status-chip.tsx'
import { CopyId, MailLink } from '../table/cells.tsx'
import { SectionFailure } from './section-failure.tsx'
import { Section } from './section.tsx'
import { MerchantSending } from './merchant-sending.tsx'
import { BlockButton } from './block-user.tsx'
import { SecondaryEmailButton } from './secondary-email-dialog.tsx'
import './user-details.css'

/** The details below a user's expanded row. */
export function UserDetails({ user }: { user: AdminUser }) {
  return (
    <>
      <Overview user={user} />
      <CurrentSubscriptions userId={user.user_id} />
      <ChangeHistory userId={user.user_id} />
      {user.clients !== null && user.clients > 0 && <MerchantSending user={user} />}
      <footer>
        <Link
          className={buttonClass({ look: 'line', size: 'sm' })}
          to={`/admin/users/${encodeURIComponent(user.user_id)}/history`}
        >
          Full history
        </Link>
        <SecondaryEmailButton user={user} />
        <BlockButton user={user} look="button" />
      </footer>
    </>
  )
}

function Overview({ user }: { user: AdminUser }) {
  return (
    <Section title="Overview">
      <Descriptions>
        <Description term="User type">{userTypeName(user)}</Description>
        <Description term="Joined">{formatExactTime(user.created_at)}</Description>
        <Description term="Name">{user.full_name}</Description>
        <Description term="Company">
          {[user.company_name, user.company_domain].filter(Boolean).join(', ')}
        </Description>
        <Description term="Website">{user.company_website_url}</Description>
        <Description term="Address">{user.company_address}</Description>
        <Description term="Support">
          {(user.support_email || user.support_phone) && <SupportContact user={user} />}
        </Description>
        <Description term="Primary">
          {user.is_primary_email_active ? null : `${readableAddress(user.email)}, not active`}
        </Description>
        <Description term="Secondary">
          {user.secondary_email && readableAddress(user.secondary_email)}
        </Description>
        <Description term="Total spent">
          {formatMoney(user.total_spent, user.currency)}
          <small className="user-note">
            Payments minus returned refunds.
            {user.lost_disputes > 0 && ' Lost disputes still count.'}
          </small>
        </Description>
        <Description term="Active plans">
          {user.active_plan_details.map(({ name }) => name).join(', ')}
        </Description>
        <Description term="Clients">{clientsInWords(user)}</Description>
        <Description term="Open invoices">
          {user.open_receivables === null ? null : formatCount(user.open_receivables)}
        </Description>
        <Description term="User id">
          <CopyId id={user.user_id} what="user id" />
        </Description>
      </Descriptions>
    </Section>
  )
}

/** Null for a past time, of which the counts are not known. */
function clientsInWords({ clients, total_active_accounts: owing }: AdminUser): string | null {
  if (clients === null || owing === null) return null
  if (clients === 0 && owing === 0) return '0'
  return `${formatCount(clients)}, ${formatCount(owing)} with open invoices`
}

function SupportContact({ user }: { user: AdminUser }) {
  return (
    <>
      {user.support_email && <MailLink address={user.support_email} />}
      {user.support_email && user.support_phone && <br />}
      {user.support_phone}
    </>
  )
}

function CurrentSubscriptions({ userId }: { userId: string }) {
  const { currentData, isError, isFetching, refetch } = useGetUserSubscriptionsQuery({ userId })
  const session = useGetSessionQuery()
  const now = session.currentData?.now
  const current = currentData?.filter(({ status }) => !hasEnded(status))
  return (
    <Section title="Current subscriptions">
      {isError && (
        <SectionFailure
          what="subscription data"
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!isError && (current === undefined || now === undefined) && <Skeleton height="64px" />}
      {current?.length === 0 && <p className="none">No active subscriptions found</p>}
      {current !== undefined && current.length > 0 && now !== undefined && (
        <ul className="user-subscriptions">
          {current.map((subscription) => (
            <UserSubscription
              key={subscription.subscription_id}
              subscription={subscription}
              now={now}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}

function UserSubscription({ subscription, now }: { subscription: Subscription; now: Instant }) {
  const {
    plan_name,
    price,
    currency,
    stripe_subscription_id,
    current_period_start: start,
    current_period_end: end,
  } = subscription
  const passed = calendarDaysBetween(start, now) / Math.max(1, calendarDaysBetween(start, end))
  return (
    <li>
      <p>
        <b>{plan_name}</b>{' '}
        <span className="muted num">
          {formatMoney(price, currency)}/{perInterval(billingInterval(subscription))}
        </span>
      </p>
      <div className="user-badges">
        <StatusChips labels={planBadges(subscription)} />
      </div>
      <p className="user-period num">
        {start > now ? `From ${formatDay(start)}` : `${formatDay(start)} to ${formatDay(end)}`}{' '}
        <span className="mono">{stripe_subscription_id}</span>
      </p>
      {start <= now && (
        <span className="bar" aria-hidden="true">
          <i style={{ width: `${Math.min(1, passed) * 100}%` }} />
        </span>
      )}
    </li>
  )
}

function ChangeHistory({ userId }: { userId: string }) {
  const { currentData, isError, isFetching, refetch } = useGetUserPlanChangesQuery({ userId })
  const session = useGetSessionQuery()
  const now = session.currentData?.now
  const changes = currentData?.changes
  return (
    <Section title="Change history">
      {isError && (
        <SectionFailure
          what="subscription data"
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!isError && (changes === undefined || now === undefined) && <Skeleton height="64px" />}
      {changes?.length === 0 && <p className="none">No subscription changes found</p>}
      {changes !== undefined && changes.length > 0 && now !== undefined && (
        <PlanChanges changes={changes} now={now} />
      )}
    </Section>
  )
}
