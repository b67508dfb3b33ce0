import { useMemo } from 'react'
import { userHistoryQuery, type UserHistoryResponse } from '#contracts/admin/history'
import type { AdminUser } from '#contracts/admin/users'
import { instant, type Instant } from '#contracts/instant'
import { userTypeName } from '#contracts/user-types'
import { useGetUserHistoryInfiniteQuery } from '../../../api/history-api.ts'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { formatDay } from '../../../lib/dates.ts'
import { isApiError } from '../../../lib/http.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DayField } from '../day-field.tsx'
import { daysProblem } from '../days-problem.ts'
import { AccountOverview, OverviewSkeleton } from './account-overview.tsx'
import { AsOfControl, AsOfNotice } from './as-of-control.tsx'
import { AuditHead } from './audit-page.tsx'
import { EventBrowser, eventsOf, peopleOf } from './event-browser.tsx'
import { HistoryStrip, HistoryStripSkeleton } from './history-strip.tsx'
import { KindFilter } from './kind-filter.tsx'
import { PersonFilter } from './person-filter.tsx'
import { stripScale } from './strip-scale.ts'
import { useUrlFilter } from './use-url-filter.ts'

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'billing', label: 'Billing' },
  { value: 'account', label: 'Account' },
  { value: 'messages', label: 'Mail and text' },
  { value: 'receivables', label: 'Receivables' },
  { value: 'enquiries', label: 'Enquiries' },
  { value: 'admin', label: 'Admin' },
] as const

const trail = { above: 'Users', here: 'History' }

export function UserHistory({ userId }: { userId: string }) {
  const [givenKind, setKind] = useUrlFilter('kind', userHistoryQuery.shape.kind.unwrap())
  const [asOf, setAsOf] = useUrlFilter('asOf', instant)
  const [person, setPerson] = useUrlFilter('person', userHistoryQuery.shape.person.unwrap())
  const [from, setFrom] = useUrlFilter('from', userHistoryQuery.shape.from.unwrap())
  const [to, setTo] = useUrlFilter('to', userHistoryQuery.shape.to.unwrap())
  const kind = givenKind ?? 'all'
  const history = useGetUserHistoryInfiniteQuery(
    {
      userId,
      kind,
      ...(asOf !== null && { asOf }),
      ...(person !== null && { person }),
      ...(from !== null && { from }),
      ...(to !== null && { to }),
    },
    { refetchOnMountOrArgChange: true },
  )
  const loaded = history.currentData ?? history.data
  const user = loaded?.pages[0]?.user
  const name = useAccountName(userId, user)
  const title = name ?? (history.isError ? userId : <Skeleton width="320px" height="28px" />)

  if (isApiError(history.error) && history.error.status === 404)
    return (
      <AuditHead trail={trail} title="User not found" note={`No account has the id ${userId}.`} />
    )
  return (
    <>
      <AuditHead
        trail={trail}
        title={title}
        note={<Note user={user} hasFailed={history.isError} />}
      >
        <AsOfControl asOf={asOf} onChange={setAsOf} />
      </AuditHead>
      {asOf !== null && <AsOfNotice asOf={asOf} onBack={() => setAsOf(null)} />}
      {user && <AccountOverview user={user} />}
      {user === undefined && !history.isError && <OverviewSkeleton />}
      <Strip pages={loaded?.pages} asOf={asOf} hasFailed={history.isError} />
      <EventBrowser
        query={history}
        emptyText={daysProblem(from, to) ?? undefined}
        filters={
          <>
            <KindFilter
              label="Kind of event"
              kinds={kinds}
              value={kind}
              onChange={(value) => setKind(value === 'all' ? null : value)}
            />
            <PersonFilter people={peopleOf(history)} value={person} onChange={setPerson} />
            <DayField label="From" value={from} onChange={setFrom} />
            <DayField label="To" value={to} onChange={setTo} />
          </>
        }
      />
    </>
  )
}

/**
 * The user's e-mail address. Before the account was opened, the answer has no user: the address of
 * today names the page. Undefined while it loads; the id if it cannot be loaded.
 */
function useAccountName(userId: string, user: AdminUser | null | undefined): string | undefined {
  const today = useGetUserHistoryInfiniteQuery({ userId, kind: 'all' }, { skip: user !== null })
  if (user) return user.email
  if (user === undefined) return undefined
  if (today.isError) return userId
  return today.currentData && (today.currentData.pages[0]?.user?.email ?? userId)
}

interface NoteProps {
  readonly user: AdminUser | null | undefined
  readonly hasFailed: boolean
}

function Note({ user, hasFailed }: NoteProps) {
  if (user === null) return 'The account did not exist at this time.'
  if (user === undefined) return hasFailed ? null : <Skeleton width="280px" height="20px" />
  const parts = [user.company_name, userTypeName(user), `Since ${formatDay(user.created_at)}`]
  return parts.filter((part) => part !== null).join('. ') + '.'
}

interface StripProps {
  readonly pages: readonly UserHistoryResponse[] | undefined
  readonly asOf: Instant | null
  readonly hasFailed: boolean
}

function Strip({ pages, asOf, hasFailed }: StripProps) {
  const session = useGetSessionQuery()
  const needle = asOf ?? session.currentData?.now
  const scale = useMemo(() => {
    const first = pages?.[0]
    if (first === undefined || needle === undefined) return undefined
    const events = eventsOf({ pages: pages ?? [] })
    const [newest, oldest] = [events[0], events.at(-1)]
    return stripScale({
      days: first.days,
      needle,
      shown: newest && oldest ? { from: oldest.occurred_at, to: newest.occurred_at } : null,
    })
  }, [pages, needle])

  if (scale) return <HistoryStrip scale={scale} />
  return hasFailed || session.isError ? null : <HistoryStripSkeleton />
}
