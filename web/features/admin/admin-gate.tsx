import type { ReactNode } from 'react'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { AdminLogin } from './admin-login.tsx'
import '../../ui/panel.css'
import './admin-page.css'

interface AdminGateProps {
  /** The title of the tab. */
  readonly title: string
  /** The page, with its own `TopBar` and `main`. Rendered only for a signed-in administrator. */
  readonly children: ReactNode
}

/**
 * The frame of the administrator's pages. The stored flag selects login or page. The server's
 * session decides which data the page receives.
 */
export function AdminGate({ title, children }: AdminGateProps) {
  usePageTitle(title)
  const authenticated = useStored('adminAuthenticated') === 'true'
  if (authenticated) return children
  return (
    <>
      <TopBar width="admin" label="Admin">
        <ThemeMenu />
      </TopBar>
      <main id="main" className="admin" tabIndex={-1}>
        <AdminLogin />
      </main>
    </>
  )
}
