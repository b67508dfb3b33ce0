import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import './admin-page.css'

export function AdminRedirectPage() {
  usePageTitle('Admin')
  const navigate = useNavigate()
  useEffect(() => {
    void navigate('/admin/dashboard', { replace: true })
  }, [navigate])
  return (
    <>
      <TopBar width="admin" label="Admin">
        <ThemeMenu />
      </TopBar>
      <main id="main" className="admin" tabIndex={-1}>
        <p role="status">Redirecting to admin dashboard...</p>
      </main>
    </>
  )
}
