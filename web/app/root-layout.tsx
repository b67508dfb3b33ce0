import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { LoginHost } from './login-host.tsx'
import { PageErrorBoundary } from './page-error.tsx'

/** Around every route: the skip link, the login dialog, and what is shown when a page breaks. */
export function RootLayout() {
  const { pathname } = useLocation()
  return (
    <LoginHost>
      <a className="sr-only skip-link" href="#main">
        Skip to content
      </a>
      <PageErrorBoundary key={pathname}>
        <Suspense>
          <Outlet />
        </Suspense>
      </PageErrorBoundary>
    </LoginHost>
  )
}
