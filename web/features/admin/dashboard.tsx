import { Tabs } from 'antd'
import { Link } from 'react-router-dom'
import { useGetAdminSummaryQuery } from '../../api/admin-api.ts'
import { formatCount } from '../../lib/money.ts'
import { AntdProvider } from '../../ui/antd/antd-provider.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { FetchFailure } from './fetch-failure.tsx'
import { RefreshIcon } from './icons.tsx'
import { RefundCards } from './refund-cards.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { SummarySkeleton } from './summary-skeleton.tsx'
import { useLogOut } from './use-log-out.ts'
import { useRefresh } from './use-refresh.ts'
import { UserTypeCards } from './user-type-cards.tsx'
import { UsersTab } from './users-tab.tsx'
import './dashboard.css'

export function Dashboard() {
  const summary = useGetAdminSummaryQuery()
  const users = summary.currentData?.totalUsers
  return (
    <AntdProvider>
      <TopBar width="admin" label="Admin">
        <HeaderActions refreshedAt={summary.fulfilledTimeStamp} />
      </TopBar>
      <main id="main" className="admin" tabIndex={-1}>
        <h1 className="sr-only">Admin dashboard</h1>
        {summary.currentData && (
          <>
            <SummaryCards summary={summary.currentData} />
            <div className="admin-cards">
              <UserTypeCards byType={summary.currentData.usersByType} />
              <RefundCards
                refunds={summary.currentData.refunds}
                currency={summary.currentData.currency}
              />
            </div>
          </>
        )}
        {!summary.currentData && summary.isError && (
          <section className="panel" aria-label="Summary">
            <FetchFailure
              what="summary"
              error={summary.error}
              retrying={summary.isFetching}
              onRetry={() => void summary.refetch()}
            />
          </section>
        )}
        {!summary.currentData && !summary.isError && <SummarySkeleton />}
        <Tabs
          indicator={{ size: (width) => width - 28 }}
          items={[
            {
              key: 'users',
              label: (
                <>
                  Users{' '}
                  {users !== undefined && (
                    <span className="tab-count num">{formatCount(users)}</span>
                  )}
                </>
              ),
              children: <UsersTab />,
            },
          ]}
        />
      </main>
    </AntdProvider>
  )
}

function HeaderActions({ refreshedAt }: { refreshedAt: number | undefined }) {
  const { refresh, refreshing } = useRefresh()
  const logOut = useLogOut()
  return (
    <>
      {refreshedAt !== undefined && (
        <span className="admin-refreshed num">Refreshed {wallClock.format(refreshedAt)}</span>
      )}
      <Link className={buttonClass({ look: 'quiet' })} to="/admin/activity">
        Activity
      </Link>
      <Button look="line" disabled={refreshing} onClick={refresh}>
        <RefreshIcon />
        Refresh
      </Button>
      <Button look="quiet" onClick={() => void logOut()}>
        Logout
      </Button>
    </>
  )
}

/** Local time of the reader; the dates of records are in UTC. */
const wallClock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
