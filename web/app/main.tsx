import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import '../ui/tokens.css'
import '../ui/base.css'
import { createAppRouter } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('web/index.html has no element with the id "root" to draw the pages in.')

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createAppRouter()} />
  </StrictMode>,
)
