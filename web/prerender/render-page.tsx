import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import type { PublicPath } from '#contracts/pages'
import { AppRoutes, loadPage } from '../app/router.tsx'

export interface RenderedPage {
  /** The content of the root element, as `hydrateRoot` expects it. */
  readonly body: string
  /** The preloads of the page's first pictures, which belong into the head. */
  readonly preloads: string
}

/**
 * The HTML of a page as a visitor without stored values sees it first.
 * @throws Error if a part of the page is not complete without the browser
 */
export async function renderPage(path: PublicPath): Promise<RenderedPage> {
  await loadPage(path)
  const html = renderToString(
    <StrictMode>
      <StaticRouter location={path}>
        <AppRoutes />
      </StaticRouter>
    </StrictMode>,
  )
  // React's marks of a Suspense boundary that the browser has to complete.
  if (html.includes('<!--$?-->') || html.includes('<!--$!-->'))
    throw new Error(
      `The page ${path} cannot be prerendered: a component suspends or throws without a browser.\n${reasonIn(html)}`,
    )
  // React writes preloads before the first element.
  const [preloads = ''] = /^(?:<link rel="preload"[^>]*>)*/.exec(html) ?? []
  return { body: html.slice(preloads.length), preloads }
}

/** In development, React states the error in a template element. */
function reasonIn(html: string): string {
  return /<template data-msg="([^"]*)"/.exec(html)?.[1] ?? ''
}
