import {
  adminSubscriptionsQuery,
  type AdminSubscription,
  type AdminSubscriptionsQuery,
} from '#contracts/admin/active-subscriptions'
import type { Instant } from '#contracts/instant'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import { intervalCategories, intervalCategoryNames } from '#contracts/interval-category'
import { useListActivePlansQuery } from '../../../api/admin-api.ts'
import { formatDay, relativeDays } from '../../../lib/dates.ts'
import { StatusChips, subscriptionStatus, type StatusLabel } from '../../../ui/status-chip.tsx'
import { CopyId, Customer, Day, Second } from '../table/cells.tsx'
import { useMay } from '../use-may.ts'
import type { ListTab } from '../table/list-tab.ts'

export const activePlansTab: ListTab<AdminSubscription, AdminSubscriptionsQuery> = {
  list: 'active-subscriptions',
  title: 'Active Plans',
  what: 'active subscriptions',
  searchPlaceholder: 'Search by user email, plan name, company...',
  emptyText: 'No active subscriptions found',
  query: adminSubscriptionsQuery,
  useList: useListActivePlansQuery,
  rowKey: ({ subscription_id }) => subscription_id,
  rowName: ({ user_email }) => `the plan of ${user_email}`,
  isMarked: ({ user_blocked }) => user_blocked,
  columns: [
    {
      title: 'Created Date',
      sort: 'created_at',
      smallScreen: 'date',
      cell: ({ created_at }) => <Day at={created_at} />,
    },
    {
      title: 'Customer Info',
      wraps: true,
      smallScreen: 'key',
      isLong: true,
      cell: ({ user_name, user_email, company_name, user_id, user_blocked }) => (
        <>
          <Customer name={user_name ?? 'N/A'} email={user_email} isBlocked={user_blocked} />
          <Second>
            {company_name !== null && <span>{company_name}</span>}
            <CopyId id={user_id} what="user id" />
          </Second>
        </>
      ),
    },
    {
      title: 'Plan Details',
      smallScreen: 'figure',
      isLong: true,
      cell: ({ plan_name, stripe_subscription_id }) => (
        <>
          {plan_name || 'Subscription Plan'}
          <Second>
            <CopyId id={stripe_subscription_id} what="subscription id" />
          </Second>
        </>
      ),
    },
    {
      title: 'Status',
      sort: 'status',
      smallScreen: 'status',
      cell: (plan) => <StatusChips labels={[planStatus(plan.status)]} />,
    },
    {
      title: 'Billing Period',
      smallScreen: 'details',
      cell: ({ current_period_start, current_period_end, paid_until }) => (
        <>
          {formatDay(current_period_start)}
          <Second>
            <span>to {formatDay(current_period_end)}</span>
            {paid_until !== current_period_end && (
              <span>
                {paid_until === null ? 'Not paid' : `Paid until ${formatDay(paid_until)}`}
              </span>
            )}
          </Second>
        </>
      ),
    },
    {
      title: 'Next Billing',
      sort: 'current_period_end',
      smallScreen: 'details',
      cell: (plan, { now }) => <NextBilling plan={plan} now={now} />,
    },
    {
      title: 'Actions',
      align: 'right',
      smallScreen: 'actions',
      cell: (plan) => <Links plan={plan} />,
    },
  ],
  filters: [
    {
      key: 'status',
      label: 'Status',
      look: 'segments',
      options: [
        { value: 'all', label: 'All' },
        { value: 'active', label: 'Active' },
        { value: 'trialing', label: 'Trialing' },
        { value: 'paused', label: 'Paused' },
        {
          value: 'past_due',
          label: 'Past Due',
          count: ({ pastDueSubscriptions }) => pastDueSubscriptions,
        },
      ],
    },
    {
      key: 'interval',
      label: 'Interval',
      look: 'menu',
      options: [
        { value: undefined, label: 'All Intervals' },
        ...intervalCategories.map((value) => ({ value, label: intervalCategoryNames[value] })),
      ],
    },
  ],
  orders: {
    created_at: [
      { label: 'Newest first', order: 'desc' },
      { label: 'Oldest first', order: 'asc' },
    ],
    status: [{ label: 'By status', order: 'asc' }],
    current_period_end: [{ label: 'Next billing first', order: 'asc' }],
  },
}

/** Other screens show a trial as active. Here a filter selects trials, so they have their name. */
function planStatus(status: string): StatusLabel {
  return status === 'trialing' ? { label: 'Trialing', tone: 'active' } : subscriptionStatus(status)
}

function NextBilling({ plan, now }: { plan: AdminSubscription; now: Instant | undefined }) {
  const { current_period_end, cancel_at } = plan
  const renewal = renewalBeforeEnd(current_period_end, cancel_at)
  return (
    <>
      {renewal === null ? 'None' : <Day at={renewal} />}
      <Second>
        {now !== undefined && renewal !== null && <span>{relativeDays(now, renewal)}</span>}
        {cancel_at !== null && <span>Cancels on {formatDay(cancel_at)}</span>}
      </Second>
    </>
  )
}

function Links({ plan }: { plan: AdminSubscription }) {
  if (!useMay('portal')) return null
  const links = [
    { label: 'Manage', url: plan.manage_url, className: 'row-action' },
    { label: 'Cancel', url: plan.cancellation_url, className: 'row-action row-action-risk' },
  ]
  return (
    <span className="row-actions">
      {links.map(
        ({ label, url, className }) =>
          url !== null && (
            <a
              key={label}
              className={className}
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={`${label} the plan of ${plan.user_email}, opens in a new tab`}
            >
              {label}
            </a>
          ),
      )}
    </span>
  )
}
