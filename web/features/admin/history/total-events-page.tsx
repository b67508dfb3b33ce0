import { totalEventsQuery } from '#contracts/admin/history'
import type { SummaryTotal } from '#contracts/admin/summary'
import { useGetAdminSummaryQuery } from '../../../api/admin-api.ts'
import { useGetTotalEventsInfiniteQuery } from '../../../api/history-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AuditHead, AuditPage } from './audit-page.tsx'
import { EventBrowser } from './event-browser.tsx'
import { totalTitles, totalValue } from '../total-in-words.ts'
import { useUrlFilter } from './use-url-filter.ts'

/** The events that a total of the dashboard is made of. */
export function TotalEventsPage() {
  const [total] = useUrlFilter('total', totalEventsQuery.shape.total)
  if (total === null)
    return (
      <AuditPage title="Events">
        <AuditHead
          trail={{ above: 'Dashboard', here: 'Events' }}
          title="Total not found"
          note="The address names no total of the dashboard. Open a total there."
        />
      </AuditPage>
    )
  return (
    <AuditPage title={totalTitles[total]}>
      <TotalEvents key={total} total={total} />
    </AuditPage>
  )
}

function TotalEvents({ total }: { total: SummaryTotal }) {
  const events = useGetTotalEventsInfiniteQuery({ total }, { refetchOnMountOrArgChange: true })
  return (
    <>
      <AuditHead
        trail={{ above: 'Dashboard', here: totalTitles[total] }}
        title={totalTitles[total]}
        note="The events that this total is made of."
      >
        <TotalValue total={total} />
      </AuditHead>
      <EventBrowser query={events} showsUser />
    </>
  )
}

/** The list below stays usable if the total cannot be loaded. */
function TotalValue({ total }: { total: SummaryTotal }) {
  const { currentData, isError } = useGetAdminSummaryQuery()
  if (currentData) return <p className="audit-total num">{totalValue(currentData, total)}</p>
  if (isError) return <p className="audit-total-failed">The total could not be loaded</p>
  return <Skeleton width="96px" height="32px" />
}
