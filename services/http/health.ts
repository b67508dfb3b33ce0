import express, { type Router } from 'express'

export interface Readiness {
  readonly isReady: boolean
  /** What is wrong or not finished: one sentence each. */
  readonly reasons: readonly string[]
  /** Null if its state could not be read; absent if not measured. */
  readonly reconciler?: ReconcilerHealth | null
  /** The side effects that wait. Null if the database did not answer; absent if not measured. */
  readonly outbox?: WaitingEffects | null
}

export interface ReconcilerHealth {
  /** Seconds since the latest complete run, by any process. */
  readonly ageSeconds: number
  /** Customers and events that could not be synchronized and are retried. */
  readonly failures: number
  /** Subscriptions, invoices and refunds at the provider whose customer belongs to no account. */
  readonly unlinked: number
}

export interface WaitingEffects {
  readonly waiting: number
  /** Entries whose effect failed repeatedly. */
  readonly failing: number
  /** Age of the oldest entry; 0 without one. */
  readonly oldestSeconds: number
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
    const { isReady, reasons, reconciler, outbox } = await readiness()
    response
      .set('Cache-Control', 'no-store')
      .status(isReady ? 200 : 503)
      .json({ status: isReady ? 'ready' : 'not ready', reasons, reconciler, outbox })
  })
  return router
}
