import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { StoreProvider } from '../api/store-provider.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { PageArrival } from './page-arrival.tsx'

/**
 * Layout of the administrator's pages. Each page renders its own `TopBar`, which holds the page's
 * actions (Refresh, Logout), and its own `main` element with the id `main`.
 */
export function AdminLayout() {
  return (
    <StoreProvider>
      <Suspense>
        <Outlet />
        <PageArrival />
      </Suspense>
      <LiveUpdates />
      <ToastHost limit={20} />
    </StoreProvider>
  )
}
