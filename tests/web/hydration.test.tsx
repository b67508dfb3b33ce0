import { afterEach, expect, it, jest } from '@jest/globals'
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { publicPaths } from '#contracts/pages'
import { AppRoutes, loadPage } from '../../web/app/router.tsx'
import { renderPage } from '../../web/prerender/render-page.tsx'

afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

// In development, React also reports attributes that differ.
it.each(publicPaths)('the prerendered page %s is hydrated without a difference', async (path) => {
  const problems: unknown[] = []
  jest.spyOn(console, 'error').mockImplementation((...problem) => void problems.push(problem))
  window.history.replaceState(null, '', path)
  const container = document.createElement('div')
  const { body } = await renderPage(path)
  container.innerHTML = body
  document.body.replaceChildren(container)
  const heading = container.querySelector('h1')
  await loadPage(path)
  await act(async () => {
    render(
      <StrictMode>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </StrictMode>,
      { container, hydrate: true, onRecoverableError: (error) => void problems.push(error) },
    )
  })
  expect(problems).toEqual([])
  expect(heading?.textContent).not.toBe('')
  expect(container.querySelector('h1')).toBe(heading)
})
