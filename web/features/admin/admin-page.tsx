import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { TopBar } from '../../ui/top-bar.tsx'
import { AdminLogin } from './admin-login.tsx'
import { Dashboard } from './dashboard.tsx'
import '../../ui/panel.css'
import './admin-page.css'

/**
 * The stored flag selects login or dashboard. The server's session decides which data the dashboard
 * receives.
 */
export function AdminPage() {
  usePageTitle('Admin')
  const authenticated = useStored('adminAuthenticated') === 'true'
  return (
    <>
      <meta name="robots" content="noindex" />
      {authenticated ? (
        <Dashboard />
      ) : (
        <>
          <TopBar width="admin" label="Admin" />
          <main id="main" className="admin" tabIndex={-1}>
            <AdminLogin />
          </main>
        </>
      )}
    </>
  )
}
