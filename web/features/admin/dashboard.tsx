import { Tabs } from 'antd'
import { Link } from 'react-router-dom'
import type { AdminSummary } from '#contracts/admin/summary'
import { useGetAdminSummaryQuery } from '../../api/admin-api.ts'
import { useGetSessionQuery } from '../../api/session-api.ts'
import { formatCount } from '../../lib/money.ts'
import { AntdProvider } from '../../ui/antd/antd-provider.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SandboxLine } from '../../ui/sandbox-line.tsx'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { FetchFailure } from './fetch-failure.tsx'
import { RefreshIcon } from './icons.tsx'
import { LiveNotice } from './live-notice.tsx'
import { RefundCards } from './refund-cards.tsx'
import { StandstillNotice } from './standstill-notice.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { SummarySkeleton } from './summary-skeleton.tsx'
import { useLogOut } from './use-log-out.ts'
import { useRefresh } from './use-refresh.ts'
import type { ListQuery, ListTab } from './table/list-tab.ts'
import { ListPanel } from './table/list-panel.tsx'
import { useTabAddress, type TabName } from './table/use-console-address.ts'
import { activePlansTab } from './tabs/active-plans-tab.tsx'
import { enquiriesTab } from './tabs/enquiries-tab.tsx'
import { paymentsTab } from './tabs/payments-tab.tsx'
import { refundsTab } from './tabs/refunds-tab.tsx'
import { usersTab } from './tabs/users-tab.tsx'
import { UserTypeCards } from './user-type-cards.tsx'
import './dashboard.css'

export function Dashboard() {
  const summary = useGetAdminSummaryQuery()
  const session = useGetSessionQuery()
  return (
    <AntdProvider>
      <TopBar width="admin" label="Admin">
        <HeaderActions refreshedAt={summary.fulfilledTimeStamp} />
      </TopBar>
      <main id="main" className="admin" tabIndex={-1}>
        <h1 className="sr-only">Admin dashboard</h1>
        <SandboxLine session={session.currentData} />
        {summary.currentData && (
          <>
            <StandstillNotice
              standstills={summary.currentData.standstills}
              count={summary.currentData.standstillCount}
            />
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
        <Lists summary={summary.currentData} />
      </main>
    </AntdProvider>
  )
}

/** Only the open tab is rendered, so only its list is loaded. */
function Lists({ summary }: { summary: AdminSummary | undefined }) {
  const [open, setOpen] = useTabAddress()
  return (
    <Tabs
      indicator={{ size: (width) => width - 28 }}
      destroyOnHidden
      activeKey={open}
      onChange={(key) => setOpen(key as TabName)}
      items={[
        tabItem('users', usersTab, summary?.totalUsers),
        tabItem('payments', paymentsTab, summary?.payments),
        tabItem('active-plans', activePlansTab, summary?.activeSubscriptions),
        tabItem('enquiries', enquiriesTab, summary?.enquiries),
        tabItem('refunds', refundsTab, summary?.refunds.total),
      ]}
    />
  )
}

function tabItem<Item extends object, Query extends ListQuery>(
  key: TabName,
  tab: ListTab<Item, Query>,
  count: number | undefined,
) {
  return {
    key,
    label: (
      <>
        {tab.title}{' '}
        {count !== undefined && <span className="tab-count num">{formatCount(count)}</span>}
      </>
    ),
    children: <ListPanel tab={tab} />,
  }
}

function HeaderActions({ refreshedAt }: { refreshedAt: number | undefined }) {
  const { refresh, refreshing } = useRefresh()
  const logOut = useLogOut()
  return (
    <>
      <LiveNotice />
      {refreshedAt !== undefined && (
        <span className="admin-refreshed num">Refreshed {wallClock.format(refreshedAt)}</span>
      )}
      <Link className={buttonClass({ look: 'quiet' })} to="/admin/reports">
        Reports
      </Link>
      <Link className={buttonClass({ look: 'quiet' })} to="/admin/activity">
        Activity
      </Link>
      <Button look="line" busy={refreshing} onClick={refresh}>
        {!refreshing && <RefreshIcon />}
        <span className="admin-refresh">Refresh</span>
      </Button>
      <ThemeMenu />
      <Button look="quiet" onClick={() => void logOut()}>
        Logout
      </Button>
    </>
  )
}

/** Local time of the reader; the dates of records are in UTC. */
const wallClock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
