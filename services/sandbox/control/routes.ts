import { json, Router, type Response } from 'express'
import { z } from 'zod'
import { advanceClock } from '../billing/pass-time.ts'
import { readClock } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { faultsSchema, keepFaults, readFaults } from '../webhooks/faults.ts'
import { addDuration } from './durations.ts'

/** How far one call may set the clock forward. */
const tenYears = 3_660 * 86_400_000

const advance = z.union(
  [
    z.strictObject({
      by: z.string().regex(/^P/, 'is an ISO 8601 duration, such as P1M or P1DT12H'),
    }),
    z.strictObject({
      to: z.iso.datetime({ error: 'is an instant in UTC, such as 2027-01-31T09:00:00Z' }),
    }),
  ],
  'is {"by": "P1M"} or {"to": "2027-01-31T09:00:00Z"}',
)

/**
 * What plays the outside world's whims: time and mishaps. JSON only, which keeps other sites' pages
 * from posting here: a browser asks first, and is given no leave.
 */
export function controlRoutes(store: Store): Router {
  const router = Router()
  const body = json({ limit: '16kb', strict: true })

  router.get('/clock', async (_request, response) => {
    response.setHeader('cache-control', 'no-store').json(await clockNow(store))
  })

  router.post('/clock/advance', body, async (request, response) => {
    const parsed = advance.safeParse(request.body)
    if (!parsed.success) return refuse(response, parsed.error)
    const now = Date.parse((await clockNow(store)).now)
    const to = 'to' in parsed.data ? Date.parse(parsed.data.to) : addDuration(now, parsed.data.by)
    if (to === null)
      return tell(response, "'by' is not an ISO 8601 duration, such as P1M or P1DT12H.")
    if (to < now)
      return tell(
        response,
        `The clock never goes back: it is ${new Date(now).toISOString()} already.`,
      )
    if (to > now + tenYears)
      return tell(response, 'The clock goes forward by ten years at most in one step.')
    await advanceClock(store, to)
    response.json(await clockNow(store))
  })

  router.get('/faults', async (_request, response) => {
    response.json(await store.read((_tx, client) => readFaults(client)))
  })

  router.post('/faults', body, async (request, response) => {
    const parsed = faultsSchema.safeParse(request.body)
    if (!parsed.success) return refuse(response, parsed.error)
    await store.change(({ client }) => keepFaults(client, parsed.data))
    response.json(parsed.data)
  })

  return router
}

/** The clock, and how many webhooks are on their way still. */
async function clockNow(store: Store): Promise<{ now: string; webhooksOwed: number }> {
  return store.read(async (_tx, client) => {
    const { rows } = await client.query<{ owed: number }>(
      'SELECT count(*)::int AS owed FROM sandbox.delivery WHERE next_attempt_at IS NOT NULL',
    )
    return {
      now: new Date(await readClock(client)).toISOString(),
      webhooksOwed: rows[0]?.owed ?? 0,
    }
  })
}

function refuse(response: Response, error: z.ZodError): void {
  const [issue] = error.issues
  tell(response, `${issue?.path.join('.') || 'The body'} ${issue?.message ?? 'is wrong'}.`)
}

function tell(response: Response, error: string): void {
  response.status(400).json({ error })
}
