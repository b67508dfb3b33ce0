import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import '../ui/tokens.css'
import '../ui/base.css'
import { hydrationEvent } from '../lib/hydration-event.ts'
import { dropExpiredDraft } from '../lib/profile-draft.ts'
import { readStored } from '../lib/stored-values.ts'
import { startTheme } from '../lib/theme.ts'
import { AppRoutes, loadPage } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('web/index.html has no element with the id "root" to draw the pages in.')

startTheme()
dropExpiredDraft()

const app = (
  <StrictMode>
    <BrowserRouter>
      <AppRoutes />
    </BrowserRouter>
  </StrictMode>
)

const { pathname } = window.location
if (!root.hasChildNodes()) {
  createRoot(root).render(app)
} else if (pathname === '/' && readStored('userEmail') !== null) {
  // As the script in the page's head does, which runs before the first paint.
  window.location.replace('/purchases')
} else {
  // If the code cannot be loaded, the page's error boundary reports it. No top-level await: the
  // bundler would split the entry into many chunks.
  void loadPage(pathname)
    .catch(() => undefined)
    .then(() => {
      hydrateRoot(root, app)
      document.documentElement.dataset['app'] = 'running'
      window.dispatchEvent(new Event(hydrationEvent))
    })
}
