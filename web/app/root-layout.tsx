import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { LoginHost } from './login-host.tsx'

/** Around every route: the skip link, the login dialog, and the focus that follows a change of page. */
export function RootLayout() {
  useFocusOnNavigation()
  return (
    <LoginHost>
      <a className="sr-only skip-link" href="#main">
        Skip to content
      </a>
      <Outlet />
      <ScrollRestoration />
    </LoginHost>
  )
}

/** A new page starts at its beginning for the keyboard and the screen reader too. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
