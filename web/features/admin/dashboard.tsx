import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import type { AdminSummary } from '#contracts/admin/summary'
import { useGetAdminSummaryQuery } from '../../api/admin-api.ts'
import { useGetSessionQuery } from '../../api/session-api.ts'
import { AntdProvider } from '../../ui/antd/antd-provider.tsx'
import { SandboxLine } from '../../ui/sandbox-line.tsx'
import { ConsoleBar } from './console-bar.tsx'
import { consoleTabs, type TabName } from './console-tabs.ts'
import { FetchFailure } from './fetch-failure.tsx'
import { Figures } from './figures.tsx'
import { PoisonEventsNotice } from './poison-events-notice.tsx'
import { SummarySkeleton } from './summary-skeleton.tsx'
import { ListPanel } from './table/list-panel.tsx'
import { useTabAddress } from './table/use-console-address.ts'
import { TabLabel } from './tab-label.tsx'
import { activePlansTab } from './tabs/active-plans-tab.tsx'
import { enquiriesTab } from './tabs/enquiries-tab.tsx'
import { paymentsTab } from './tabs/payments-tab.tsx'
import { refundsTab } from './tabs/refunds-tab.tsx'
import { usersTab } from './tabs/users-tab.tsx'
import './dashboard.css'

export function Dashboard() {
  const summary = useGetAdminSummaryQuery()
  const session = useGetSessionQuery()
  return (
    <AntdProvider>
      <ConsoleBar width="admin" refreshedAt={summary.fulfilledTimeStamp} />
      <main id="main" className="admin" tabIndex={-1}>
        <h1 className="sr-only">Admin dashboard</h1>
        <SandboxLine session={session.currentData} />
        {summary.currentData && (
          <>
            <PoisonEventsNotice
              poisonEvents={summary.currentData.poisonEvents}
              count={summary.currentData.poisonEventCount}
            />
            <Figures summary={summary.currentData} />
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
      items={consoleTabs.map(({ name, title, count }) => ({
        key: name,
        label: <TabLabel title={title} count={summary && count(summary)} />,
        children: panels[name],
      }))}
    />
  )
}

const panels: Readonly<Record<TabName, ReactNode>> = {
  users: <ListPanel tab={usersTab} />,
  payments: <ListPanel tab={paymentsTab} />,
  'active-plans': <ListPanel tab={activePlansTab} />,
  enquiries: <ListPanel tab={enquiriesTab} />,
  refunds: <ListPanel tab={refundsTab} />,
}
