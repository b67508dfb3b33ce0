import type { AdminSummary, SummaryTotal } from '#contracts/admin/summary'
import { formatCount } from '../../lib/money.ts'
import { totalTitles } from './total-in-words.ts'
import { TotalLink } from './total-link.tsx'

/**
 * Users by the highest level reached. Each user counts once, so the bars are shares of the total.
 */
export function UserTypeCards({ byType }: { byType: AdminSummary['usersByType'] }) {
  const total = byType.emailOnly + byType.withCompany + byType.verified + byType.paying
  const share = (count: number) => (total === 0 ? 0 : count / total)
  return (
    <section className="panel user-types" aria-label="Users by type">
      <UserType
        meaning="Only entered email, not verified"
        total="emailOnly"
        count={byType.emailOnly}
        share={share(byType.emailOnly)}
      />
      <UserType
        meaning="Entered email and created company"
        total="withCompany"
        count={byType.withCompany}
        share={share(byType.withCompany)}
      />
      <UserType
        meaning="Verified with OTP"
        total="verified"
        count={byType.verified}
        share={share(byType.verified)}
      />
      <UserType
        meaning="Completed a purchase"
        total="paying"
        count={byType.paying}
        share={share(byType.paying)}
      />
    </section>
  )
}

interface UserTypeProps {
  readonly meaning: string
  readonly total: SummaryTotal
  readonly count: number
  readonly share: number
}

function UserType({ meaning, total, count, share }: UserTypeProps) {
  return (
    <div>
      <h2 className="label">{totalTitles[total]}</h2>
      <strong>
        <TotalLink total={total}>{formatCount(count)}</TotalLink>
      </strong>
      <p>{meaning}</p>
      <span className="bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}
