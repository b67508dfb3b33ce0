import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { StoreProvider } from '../api/store-provider.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { TopBar } from '../ui/top-bar.tsx'
import { AccountMenu } from './account-menu.tsx'
import { PageArrival } from './page-arrival.tsx'

/** Layout of the customer's pages: store, low header with the account menu, content. */
export function ProductLayout() {
  return (
    <StoreProvider>
      <TopBar>
        <AccountMenu />
      </TopBar>
      <main id="main" tabIndex={-1}>
        <Suspense>
          <Outlet />
          <PageArrival />
        </Suspense>
      </main>
      <ToastHost limit={20} />
    </StoreProvider>
  )
}
