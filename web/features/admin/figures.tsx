import type { AdminSummary } from '#contracts/admin/summary'
import { formatCount, formatRoundMoney } from '../../lib/money.ts'
import { changeStored, useStored } from '../../lib/stored-values.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { ChevronRightIcon } from '../../ui/table-icons.tsx'
import { RefundCards } from './refund-cards.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { UserTypeCards } from './user-type-cards.tsx'

/** Also in dashboard.css. */
const smallScreen = '(max-width: 760px)'

/**
 * The cards of the dashboard. On small screens they fold away, because the lists would be below two
 * screens of cards. The browser remembers whether they are open.
 */
export function Figures({ summary }: { summary: AdminSummary }) {
  const isSmallScreen = useMediaQuery(smallScreen)
  const isOpen = useStored('adminFigures') === 'open'
  if (!isSmallScreen) return <Cards summary={summary} />
  return (
    <details
      className="figures"
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget
        if (open !== isOpen) changeStored({ adminFigures: open ? 'open' : null })
      }}
    >
      <summary className="panel">
        <ChevronRightIcon />
        <b>Figures</b>
        <span className="num">
          {formatCount(summary.totalUsers)} {summary.totalUsers === 1 ? 'user' : 'users'},{' '}
          {formatRoundMoney(summary.totalRevenue, summary.currency)} revenue
        </span>
      </summary>
      <Cards summary={summary} />
    </details>
  )
}

function Cards({ summary }: { summary: AdminSummary }) {
  return (
    <>
      <SummaryCards summary={summary} />
      <div className="admin-cards">
        <UserTypeCards byType={summary.usersByType} />
        <RefundCards refunds={summary.refunds} currency={summary.currency} />
      </div>
    </>
  )
}
