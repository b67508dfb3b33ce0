import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import '../ui/tokens.css'
import '../ui/base.css'
import { startTheme } from '../lib/theme.ts'
import { AppRoutes } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('web/index.html has no element with the id "root" to draw the pages in.')

startTheme()

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <AppRoutes />
    </BrowserRouter>
  </StrictMode>,
)
