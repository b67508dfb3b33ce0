import express from 'express'
import { z } from 'zod'
import { nameContracts } from '#contracts/name-contracts'
import type { DocumentedCall, DocumentedRouter } from './openapi/documented-call.ts'

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
  /** Entries whose last attempt failed. */
  readonly dead: number
  /** Age of the oldest entry; 0 without one. */
  readonly oldestSeconds: number
}

/**
 * `/healthz`: this process is alive. `/readyz`: this process and its dependencies can serve
 * requests.
 */
export function healthRoutes(readiness: () => Promise<Readiness>): DocumentedRouter {
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
  return { router, calls }
}

const count = z.int().min(0)
const seconds = z.number().min(0)
const readinessAnswer = z.object({
  status: z.enum(['ready', 'not ready']),
  reasons: z.array(z.string()),
  reconciler: z
    .object({ ageSeconds: seconds, failures: count, unlinked: count })
    .nullable()
    .optional(),
  outbox: z
    .object({ waiting: count, failing: count, dead: count, oldestSeconds: seconds })
    .nullable()
    .optional(),
})

nameContracts({ Readiness: readinessAnswer })

const calls: readonly DocumentedCall[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Check that the process is alive',
    tag: 'Health',
    answers: {
      200: { description: 'The process is alive.', body: z.object({ status: z.literal('alive') }) },
    },
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Check that the process and its dependencies can serve requests',
    tag: 'Health',
    answers: {
      200: { description: 'Ready', body: readinessAnswer },
      503: { description: 'Not ready. Each reason is a sentence.', body: readinessAnswer },
    },
  },
]
