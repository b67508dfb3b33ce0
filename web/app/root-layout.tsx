import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { DocumentHead } from './document-head.tsx'
import { LoginHost } from './login-host.tsx'
import { PageErrorBoundary } from './page-error.tsx'

/** Surrounds every route with the head, the skip link, the login dialog and the error boundary. */
export function RootLayout() {
  const { pathname } = useLocation()
  return (
    <LoginHost>
      <DocumentHead />
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
