import { json, Router, type Response } from 'express'
import { z } from 'zod'
import {
  firstProblem,
  problemSentence,
  reasonInWords,
} from '#services/foundation/validation-messages'
import { oneRow } from '#services/foundation/rows'
import { advanceClock } from '../billing/apply-due-changes.ts'
import { readClock } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { faultsSchema, readFaults, saveFaults } from '../webhooks/faults.ts'
import { addDuration } from './durations.ts'

/** How far one call may set the clock forward. */
const tenYearsMs = 3_660 * 86_400_000

/** An instant in JSON has a year of four digits, and a period that begins now ends years later. */
const lastInstant = Date.UTC(9_990, 0, 1) - 1

const durationRule = 'must be an ISO 8601 duration, such as P1M or P1DT12H.'

const advance = z.union(
  [
    z.strictObject({ by: z.string().regex(/^P/, durationRule) }),
    z.strictObject({
      to: z.iso.datetime({ error: 'must be an instant in UTC, such as 2027-01-31T09:00:00Z.' }),
    }),
  ],
  'must be {"by": "P1M"} or {"to": "2027-01-31T09:00:00Z"}.',
)

/**
 * The sandbox's clock and its simulated faults. The routes accept JSON only, so that pages of other
 * sites cannot post here. A browser sends a preflight request first, and the sandbox does not allow
 * it.
 */
export function controlRoutes(store: Store): Router {
  const router = Router()
  const body = json({ limit: '16kb', strict: true })

  router.get('/clock', async (_request, response) => {
    response.setHeader('cache-control', 'no-store').json(await clockState(store))
  })

  router.post('/clock/advance', body, async (request, response) => {
    const parsed = advance.safeParse(request.body, { error: reasonInWords })
    if (!parsed.success) return sendProblem(response, parsed.error)
    const now = Date.parse((await clockState(store)).now)
    const to = 'to' in parsed.data ? Date.parse(parsed.data.to) : addDuration(now, parsed.data.by)
    if (to === null)
      return sendError(response, problemSentence({ field: 'by', reason: durationRule }))
    if (to < now)
      return sendError(
        response,
        `The clock cannot be set back: its time is ${new Date(now).toISOString()}. Choose a later time.`,
      )
    if (to > now + tenYearsMs)
      return sendError(
        response,
        'One call sets the clock forward by at most ten years. Choose a shorter step.',
      )
    if (to > lastInstant)
      return sendError(
        response,
        'The clock ends with the year 9989, so that every period ends before the year 10000. Choose an earlier time.',
      )
    await advanceClock(store, to)
    response.json(await clockState(store))
  })

  router.get('/faults', async (_request, response) => {
    response.json(await store.read((_tx, client) => readFaults(client)))
  })

  router.post('/faults', body, async (request, response) => {
    const parsed = faultsSchema.safeParse(request.body, { error: reasonInWords })
    if (!parsed.success) return sendProblem(response, parsed.error)
    await store.change(({ client }) => saveFaults(client, parsed.data))
    response.json(parsed.data)
  })

  return router
}

const pendingRow = z.object({ pending: z.int() })

/** The clock's time, and the number of webhooks whose delivery is pending. */
async function clockState(store: Store): Promise<{ now: string; webhooksOwed: number }> {
  return store.read(async (_tx, client) => {
    const { pending } = await oneRow(
      client,
      pendingRow,
      'SELECT count(*)::int AS pending FROM sandbox.delivery WHERE next_attempt_at IS NOT NULL',
    )
    return {
      now: new Date(await readClock(client)).toISOString(),
      webhooksOwed: pending,
    }
  })
}

function sendProblem(response: Response, error: z.ZodError): void {
  sendError(response, problemSentence(firstProblem(error)))
}

function sendError(response: Response, error: string): void {
  response.status(400).json({ error })
}
