import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import express, { type RequestHandler, type Router } from 'express'
import { pages } from '#contracts/pages'
import { StartupError } from '#services/foundation/startup-error'

/**
 * Serves the built app from `webRoot`. Names of files in /assets contain a hash, so browsers may
 * cache the files for a year.
 */
export function createPages(webRoot: string): Router {
  const indexPath = join(webRoot, 'index.html')
  if (!existsSync(indexPath))
    throw new StartupError(
      `The pages are not built: ${indexPath} is missing. Run npm run build, or start with npm start.`,
    )
  const index = readFileSync(indexPath, 'utf8')
  const router = express.Router({ strict: false })

  const notFound: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    response.status(404).set('Cache-Control', 'no-cache').type('html').send(index)
  }

  // A page is served at its path, and only if it is configured.
  router.get(/\.(map|html)$/, notFound)
  router.use(
    '/assets',
    express.static(join(webRoot, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      fallthrough: true,
      setHeaders: nameCharset,
    }),
  )
  router.use(
    express.static(webRoot, {
      index: false,
      maxAge: '1h',
      redirect: false,
      setHeaders: nameCharset,
    }),
  )
  for (const [path, { isPrivate }] of Object.entries(pages)) {
    router.get(path, (_request, response) => {
      if (isPrivate) response.set('X-Robots-Tag', 'noindex')
      response.set('Cache-Control', 'no-cache').type('html').send(index)
    })
  }
  router.use(notFound)
  return router
}

/** express.static names the character set of texts, but not of SVG, which is XML. */
function nameCharset(response: ServerResponse, path: string): void {
  if (path.endsWith('.svg')) response.setHeader('Content-Type', 'image/svg+xml; charset=utf-8')
}
