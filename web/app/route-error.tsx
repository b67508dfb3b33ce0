import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { browser } from '../lib/browser.ts'
import { usePageTitle } from '../lib/use-page-title.ts'
import { Button } from '../ui/button.tsx'
import './route-error.css'

/** A page that could not be fetched, as after a new release, or that broke while it was drawn. */
export function RouteError() {
  usePageTitle('Page not loaded')
  const error = useRouteError()
  useEffect(() => window.reportError(error), [error])
  return (
    <main id="main" className="route-error" tabIndex={-1}>
      <h1>This page could not be loaded</h1>
      <p>The connection was interrupted, or a new version has been released. Reload the page to try again.</p>
      <Button size="md" onClick={() => browser.reload()}>
        Reload
      </Button>
    </main>
  )
}
