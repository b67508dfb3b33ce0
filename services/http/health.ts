import express, { type Router } from 'express'

export interface Readiness {
  readonly isReady: boolean
  /** What is wrong or not finished: one sentence each. */
  readonly reasons: readonly string[]
}

/**
 * `/healthz`: this process is alive. `/readyz`: this process and its dependencies can serve
 * requests.
 */
export function healthRoutes(readiness: () => Promise<Readiness>): Router {
  const router = express.Router()
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' })
  })
  router.get('/readyz', async (_request, response) => {
    const { isReady, reasons } = await readiness()
    response
      .set('Cache-Control', 'no-store')
      .status(isReady ? 200 : 503)
      .json({ status: isReady ? 'ready' : 'not ready', reasons })
  })
  return router
}
