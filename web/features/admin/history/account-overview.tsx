import type { ReactNode } from 'react'
import type { AdminUser } from '#contracts/admin/users'
import { userTypeName } from '#contracts/user-types'
import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import './account-overview.css'

/** The account, now or as it was, in one strip. */
export function AccountOverview({ user }: { user: AdminUser }) {
  const plans = user.active_plan_details.map(({ name }) => name).join(', ')
  const contact = [user.full_name, user.support_email, user.support_phone].filter(Boolean)
  return (
    <section className="panel account-overview" aria-label="Overview">
      <dl>
        <Cell term="User type" value={userTypeName(user)}>
          {user.blocked ? <Chip tone="failed">Blocked</Chip> : <Chip tone="active">Active</Chip>}
        </Cell>
        <Cell term="Active plans" value={user.active_plans === 0 ? 'None' : plans}>
          {user.latest_expiration !== null &&
            `${user.active_plans === 0 ? 'Expired' : 'Until'} ${formatDay(user.latest_expiration)}`}
        </Cell>
        <Cell term="Total spent" value={formatMoney(user.total_spent, user.currency)}>
          Payments minus returned refunds
        </Cell>
        <Cell term="Company" value={user.company_name ?? 'None'}>
          {[user.company_domain, user.company_address].filter(Boolean).join(', ')}
        </Cell>
        <Cell term="Contact" value={contact[0] ?? 'None'}>
          {[...contact.slice(1), user.secondary_email].filter(Boolean).join(', ')}
        </Cell>
      </dl>
    </section>
  )
}

interface CellProps {
  readonly term: string
  readonly value: ReactNode
  readonly children: ReactNode
}

function Cell({ term, value, children }: CellProps) {
  return (
    <div>
      <dt className="label">{term}</dt>
      <dd>
        <strong>{value}</strong>
        {children && <small>{children}</small>}
      </dd>
    </div>
  )
}

export function OverviewSkeleton() {
  return (
    <section className="panel account-overview" aria-label="Overview">
      <dl>
        {['User type', 'Active plans', 'Total spent', 'Company', 'Contact'].map((term) => (
          <Cell key={term} term={term} value={<Skeleton width="110px" height="20px" />}>
            <Skeleton width="80%" height="14px" />
          </Cell>
        ))}
      </dl>
    </section>
  )
}
