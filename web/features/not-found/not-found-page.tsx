import { Link } from 'react-router-dom'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import './not-found-page.css'

/** The page for an unknown address. */
export function NotFoundPage() {
  usePageTitle('Page not found')
  return (
    <div className="not-found">
      <div className="not-found-line" aria-hidden="true">
        <Mark kind="sent" size="lg" />
        <Mark kind="now" />
      </div>
      <p className="label">404</p>
      <h1>Oops! Page not found</h1>
      <p className="muted">This address has no page. The link may be old or mistyped.</p>
      {/* This document may not load the script of the payment provider. */}
      <Link className={buttonClass({ size: 'lg' })} to="/" reloadDocument>
        Return to Home
      </Link>
    </div>
  )
}
