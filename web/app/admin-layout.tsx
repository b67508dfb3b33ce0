import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { StoreProvider } from '../api/store-provider.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { PageArrival } from './page-arrival.tsx'

/**
 * The administrator's pages. Their header carries their own actions (Refresh, Logout), so each
 * page draws its `TopBar` and its `main` with the id `main`.
 */
export function AdminLayout() {
  return (
    <StoreProvider>
      <Suspense>
        <Outlet />
        <PageArrival />
      </Suspense>
      <ToastHost limit={20} />
    </StoreProvider>
  )
}
