import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import express, { type RequestHandler, type Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { escapeMarkup } from '#contracts/escape-markup'
import {
  fileOfPage,
  pages,
  publicPathOf,
  publicUrlPlaceholder,
  shellFile,
  yearPlaceholder,
} from '#contracts/pages'
import { StartupError } from '#services/foundation/startup-error'
import { encodePage, sendPage, type EncodedPage } from './encoded-page.ts'
import type { PaymentScript } from './payment-script.ts'
import { robotsText, sitemap } from './site-files.ts'

/**
 * Serves the built app from `webRoot`: prerendered pages, the shell for all other pages, and files.
 * Names of files in /assets contain a hash, so browsers may cache the files for a year. `now` is
 * the business clock, whose year the footer shows. `script`: null if no page loads the payment
 * provider's script.
 * @throws StartupError if the pages are not built
 */
export function createPages(
  webRoot: string,
  publicUrl: string,
  now: () => Date,
  script: PaymentScript | null = null,
): Router {
  const read = (file: string, change = (html: string) => html): (() => EncodedPage) => {
    const path = join(webRoot, file)
    if (!existsSync(path))
      throw new StartupError(
        `The pages are not built: ${path} is missing. Run npm run build, or start with npm start.`,
      )
    const html = readFileSync(path, 'utf8')
    const ofThisSite = html.replaceAll(publicUrlPlaceholder, escapeMarkup(publicUrl))
    return ofThisYear(change(ofThisSite), now)
  }
  const shell = read(shellFile)
  const router = express.Router({ strict: false })

  const notFound: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    sendPage(request, response.status(404), shell())
  }

  // The library of static files would answer with its own text.
  router.use((request, response, next) => {
    if (isWellFormed(request.path)) next()
    else notFound(request, response, () => next('router'))
  })
  // A page is served at its path, and only if it is configured. A compressed copy is served at the
  // path of its file.
  router.get(/\.(map|html|br|gz)$/, notFound)
  router.use(
    '/assets',
    expressStaticGzip(join(webRoot, 'assets'), {
      ...compressedCopies,
      serveStatic: { immutable: true, maxAge: '1y', index: false, setHeaders: nameCharset },
    }),
  )
  router.use(
    expressStaticGzip(webRoot, {
      ...compressedCopies,
      serveStatic: { index: false, maxAge: '1h', redirect: false, setHeaders: nameCharset },
    }),
  )
  router.get('/robots.txt', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('text').send(robotsText(publicUrl))
  })
  router.get('/sitemap.xml', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('xml').send(sitemap(publicUrl))
  })
  for (const [path, { isPrivate }] of Object.entries(pages)) {
    const publicPath = publicPathOf(path)
    const file = publicPath === null ? shellFile : fileOfPage(publicPath)
    const scriptHere = script?.isOn(path) === true ? script : null
    if (scriptHere !== null) router.get(path, scriptHere.allow)
    const page = scriptHere === null && publicPath === null ? shell : read(file, scriptHere?.addKey)
    router.get(path, (request, response) => {
      if (isPrivate) response.set('X-Robots-Tag', 'noindex')
      sendPage(request, response, page())
    })
  }
  router.use(notFound)
  return router
}

/** The page with the current year. It is made once a year. */
function ofThisYear(html: string, now: () => Date): () => EncodedPage {
  let made: { readonly year: number; readonly page: EncodedPage } | null = null
  return () => {
    const year = now().getUTCFullYear()
    if (made?.year !== year)
      made = { year, page: encodePage(html.replaceAll(yearPlaceholder, String(year))) }
    return made.page
  }
}

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** The build writes `app.js.br` and `app.js.gz` beside `app.js`. */
const compressedCopies = { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false }

const textTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** Names the type of a text by the file's name without the ending of a compressed copy. */
function nameCharset(response: ServerResponse, path: string): void {
  const type = textTypes[extname(path.replace(/\.(br|gz)$/, ''))]
  if (type !== undefined) response.setHeader('Content-Type', type)
}
