import { Link } from 'react-router-dom'
import { useGetAdminSummaryQuery } from '../../api/admin-api.ts'
import { consoleTabs, type TabName } from './console-tabs.ts'
import { TabLabel } from './tab-label.tsx'
import './link-tabs.css'

/** The tabs of the dashboard as links, on the other pages of the console. */
export function ConsoleNav({ current }: { current?: TabName | undefined }) {
  const { currentData: summary } = useGetAdminSummaryQuery()
  return (
    <nav className="link-tabs" aria-label="Dashboard">
      <ul>
        {consoleTabs.map(({ name, title, count }) => (
          <li key={name}>
            <Link
              to={`/admin/dashboard?tab=${name}`}
              aria-current={name === current ? 'true' : undefined}
            >
              <TabLabel title={title} count={summary && count(summary)} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
