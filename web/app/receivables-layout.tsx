import { Fragment, Suspense, useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router-dom'
import { StoreProvider } from '../api/store-provider.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { TopBar } from '../ui/top-bar.tsx'
import { AccountMenu } from './account-menu.tsx'
import { PageArrival } from './page-arrival.tsx'
import './receivables-layout.css'

/** Daily work first, then set-up. `also`: the import belongs to the invoices. */
const links = [
  { to: '/receivables', name: 'Overview', end: true },
  { to: '/receivables/invoices', also: '/receivables/import', name: 'Invoices', end: false },
  { to: '/receivables/clients', name: 'Clients', end: false },
  { to: '/receivables/schedule', name: 'Schedule', end: false, isSetUp: true },
  { to: '/receivables/templates', name: 'Templates', end: false },
  { to: '/receivables/brand', name: 'Brand', end: false },
  { to: '/receivables/payments', name: 'Payments', end: false },
] as const

/** Layout of the receivables: the header of the customer's pages with the links of the area. */
export function ReceivablesLayout() {
  return (
    <StoreProvider>
      <TopBar nav={<AreaLinks />}>
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

/** On phones a row that scrolls: the current link is brought into view. */
function AreaLinks() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()

  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - 16
  }, [pathname])

  return (
    <nav ref={nav} className="area-links" aria-label="Receivables">
      {links.map(({ to, name, end, ...link }) => (
        <Fragment key={to}>
          {'isSetUp' in link && <span className="area-rule" />}
          {'also' in link && link.also === pathname ? (
            <Link to={to} aria-current="page">
              {name}
            </Link>
          ) : (
            <NavLink to={to} end={end}>
              {name}
            </NavLink>
          )}
        </Fragment>
      ))}
    </nav>
  )
}
