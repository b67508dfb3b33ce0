import { activityQuery } from '#contracts/admin/history'
import { useGetActivityInfiniteQuery } from '../../../api/history-api.ts'
import { DayField } from '../day-field.tsx'
import { daysProblem } from '../days-problem.ts'
import { AuditHead, AuditPage } from './audit-page.tsx'
import { EventBrowser, peopleOf } from './event-browser.tsx'
import { KindFilter } from './kind-filter.tsx'
import { PersonFilter } from './person-filter.tsx'
import { useUrlFilter } from './use-url-filter.ts'

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'changes', label: 'Changes' },
  { value: 'exports', label: 'Exports' },
  { value: 'sign-ins', label: 'Sign-ins' },
] as const

/** What administrators did, failed sign-ins included. */
export function ActivityPage() {
  return (
    <AuditPage title="Activity">
      <AuditHead
        trail={{ above: 'Dashboard', here: 'Activity' }}
        title="Activity"
        note="What administrators changed, exported and tried to open."
      />
      <Activity />
    </AuditPage>
  )
}

function Activity() {
  const [givenKind, setKind] = useUrlFilter('kind', activityQuery.shape.kind.unwrap())
  const [from, setFrom] = useUrlFilter('from', activityQuery.shape.from.unwrap())
  const [to, setTo] = useUrlFilter('to', activityQuery.shape.to.unwrap())
  const [person, setPerson] = useUrlFilter('person', activityQuery.shape.person.unwrap())
  const kind = givenKind ?? 'all'
  const activity = useGetActivityInfiniteQuery(
    {
      kind,
      ...(person !== null && { person }),
      ...(from !== null && { from }),
      ...(to !== null && { to }),
    },
    { refetchOnMountOrArgChange: true },
  )
  return (
    <EventBrowser
      query={activity}
      emptyText={daysProblem(from, to) ?? undefined}
      showsUser
      filters={
        <>
          <KindFilter
            label="Kind of activity"
            kinds={kinds}
            value={kind}
            onChange={(value) => setKind(value === 'all' ? null : value)}
          />
          <PersonFilter people={peopleOf(activity)} value={person} onChange={setPerson} />
          <DayField label="From" value={from} onChange={setFrom} />
          <DayField label="To" value={to} onChange={setTo} />
        </>
      }
    />
  )
}
