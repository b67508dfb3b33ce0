import { createServer, type Server } from 'node:http'
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import helmet from 'helmet'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { controlRoutes } from './control/routes.ts'
import { explainListenError } from './explain-listen-error.ts'
import type { ReportWebhook } from './messages/bounces.ts'
import type { TextWebhook } from './messages/inbound-text.ts'
import { twilioApi } from './messages/twilio-api.ts'
import { checkoutRoutes } from './pages/checkout-routes.ts'
import { invoiceRoutes } from './pages/invoice-routes.ts'
import { inboxRoutes } from './pages/inbox-routes.ts'
import { mailGalleryRoutes } from './pages/mail-gallery-routes.ts'
import { renderNotice } from './pages/notice-page.tsx'
import { sendPage } from './pages/page-headers.ts'
import { merchantRoutes } from './pages/merchant-routes.ts'
import { onboardingRoutes } from './pages/onboarding-routes.ts'
import { portalRoutes } from './pages/portal-routes.ts'
import { assetDirectory, faviconFile, fontDirectory } from './pages/styles.ts'
import { refuseOtherSites } from './refuse-other-sites.ts'
import type { Store } from './store/store.ts'
import { stripeApi } from './stripe/api.ts'

export interface Parts {
  readonly store: Store
  readonly pool: Pool
  readonly styles: string
  readonly productUrl: string
  /** The sandbox's URL, known once the server listens. */
  readonly ownUrl: () => string
  /** Other URLs of the sandbox. */
  readonly otherUrls: readonly string[]
  /** Null: texts that a tester writes reach no product. */
  readonly textWebhook: TextWebhook | null
  /** Null: no mail comes back to a product. */
  readonly reportWebhook: ReportWebhook | null
  readonly log: Logger
}

/** The sandbox's HTTP routes. */
export function createApp({
  store,
  pool,
  styles,
  productUrl,
  ownUrl,
  otherUrls,
  textWebhook,
  reportWebhook,
  log,
}: Parts): express.Express {
  const app = express()
  app.disable('x-powered-by')
  // `sendPage` sets the policy of pages; this policy covers all other responses.
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: false,
      xFrameOptions: { action: 'deny' },
      // With no-referrer, a browser hides the origin of the pages' own forms.
      referrerPolicy: { policy: 'same-origin' },
    }),
  )
  app.use(refuseOtherSites(() => [ownUrl(), productUrl, ...otherUrls]))
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/', (_request, response) => response.redirect(303, '/inbox'))
  app.get('/assets/styles.css', (_request, response) => {
    response.setHeader('cache-control', 'no-cache').type('css').send(styles)
  })
  app.get(['/assets/favicon.svg', '/favicon.ico'], (_request, response) =>
    response.type('svg').sendFile(faviconFile()),
  )
  app.use('/assets/fonts', express.static(fontDirectory(), { index: false, maxAge: '1h' }))
  for (const script of ['fit-frames.js', 'inbox.js', 'mail-gallery.js'])
    app.get(`/assets/${script}`, (_request, response) =>
      response.setHeader('cache-control', 'no-cache').sendFile(script, { root: assetDirectory }),
    )
  // The Stripe API refuses NUL itself, with an error in Stripe's form.
  app.use(stripeApi({ store, pool, log }, () => ({ ownUrl: ownUrl() })))
  app.use(refuseNulInAddress)
  app.use(
    twilioApi(store, pool),
    controlRoutes(store),
    checkoutRoutes(store, productUrl),
    portalRoutes(store, productUrl),
    invoiceRoutes(store, productUrl),
    onboardingRoutes(store, productUrl),
    merchantRoutes(store, productUrl),
    inboxRoutes({ store, pool, productUrl, textWebhook, reportWebhook }),
    mailGalleryRoutes(),
  )
  app.use((_request, response) => {
    sendPage(
      response,
      404,
      renderNotice({
        title: 'Page not found',
        text: 'The sandbox has an inbox, checkout pages, a billing portal and pages of merchants.',
        href: '/inbox',
        linkText: 'To the inbox',
      }),
    )
  })
  app.use(answerError(log))
  return app
}

/** PostgreSQL text cannot contain NUL. The readers of request bodies check the bodies. */
const refuseNulInAddress: RequestHandler = (request, _response, next) => {
  if (!request.url.includes('%00')) return next()
  throw Object.assign(new Error('The address of the request contains NUL (%00). Leave it out.'), {
    status: 400,
  })
}

/**
 * Answers an error. A 4xx error includes its message; any other error is logged and answered
 * without details.
 */
function answerError(log: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error)
    const status =
      typeof error === 'object' &&
      error !== null &&
      'status' in error &&
      typeof error.status === 'number'
        ? error.status
        : 500
    const isCallerError = status >= 400 && status < 500
    if (!isCallerError)
      log.error(
        { err: error, method: request.method, path: request.path },
        'A request failed in the sandbox; the client received an error.',
      )
    const text =
      isCallerError && error instanceof Error
        ? error.message
        : 'The request failed in the sandbox. The sandbox log has the cause. Try again.'
    if (!request.accepts(['json', 'html']) || request.accepts(['json', 'html']) === 'json') {
      response.status(isCallerError ? status : 500).json({ error: text })
      return
    }
    sendPage(
      response,
      isCallerError ? status : 500,
      renderNotice({
        title: isCallerError ? 'The request was refused' : 'The request failed',
        text,
        href: '/inbox',
        linkText: 'To the inbox',
      }),
    )
  }
}

/**
 * Port 0 chooses a free port.
 * @throws StartupError if the port is in use or the host is no address of this machine
 */
export async function listen(
  app: express.Express,
  host: string,
  port: number,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(app)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        explainListenError(error, host, {
          port,
          use: 'the sandbox',
          remedy: 'SANDBOX_PORT to another port',
        }),
      ),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : port }
}
