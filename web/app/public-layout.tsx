import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { ToastHost } from '../ui/toast-host.tsx'
import { PageArrival } from './page-arrival.tsx'
import { PublicFooter } from './public-footer.tsx'
import { PublicHeader } from './public-header.tsx'
import './public-layout.css'

/** Header, content and footer of the public pages. These pages show one toast at a time. */
export function PublicLayout() {
  return (
    <div className="public">
      <PublicHeader />
      {/* The footer appears with the page, so that the page does not shift it. */}
      <Suspense fallback={<main id="main" tabIndex={-1} />}>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
        <PublicFooter />
        <PageArrival />
      </Suspense>
      <ToastHost limit={1} />
    </div>
  )
}
