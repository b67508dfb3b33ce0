import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { usePageTitle } from '../../lib/use-page-title.ts'
import './payment-redirect-page.css'

/** The return page of a cancelled checkout. It redirects immediately. */
export function PaymentRedirectPage() {
  usePageTitle('Redirecting')
  const navigate = useNavigate()
  useEffect(() => {
    void navigate('/', { replace: true })
  }, [navigate])
  return (
    <div className="payment-redirect" role="status">
      <h1>Redirecting...</h1>
      <p className="muted">Please wait while we process your request.</p>
    </div>
  )
}
