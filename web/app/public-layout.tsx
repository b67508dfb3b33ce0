import { Outlet } from 'react-router-dom'
import { ToastHost } from '../ui/toast-host.tsx'
import { PublicFooter } from './public-footer.tsx'
import { PublicHeader } from './public-header.tsx'
import './public-layout.css'

/** Header, content and footer of the public pages, which show one toast at a time. */
export function PublicLayout() {
  return (
    <div className="public">
      <PublicHeader />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <PublicFooter />
      <ToastHost limit={1} />
    </div>
  )
}
