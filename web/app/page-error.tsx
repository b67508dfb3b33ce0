import { Component, type ReactNode } from 'react'
import { browser } from '../lib/browser.ts'
import { Button } from '../ui/button.tsx'
import './page-error.css'

/** Shown if a page's code cannot be loaded, for example after a release, or if rendering throws. */
export class PageErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main id="main" className="page-error" tabIndex={-1}>
        <h1>This page could not be loaded</h1>
        <p>
          The connection was interrupted, or a new version has been released. Reload the page to try
          again.
        </p>
        <Button size="md" onClick={() => browser.reload()}>
          Reload
        </Button>
      </main>
    )
  }
}
