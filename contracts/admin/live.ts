import { z } from 'zod'
import { adminRole } from './roles.ts'

/**
 * The calls whose answers `GET /api/admin/live` sends again when they change, without their query.
 * All are calls of the dashboard that every administrator may read, with the same answer for all.
 */
export const liveCalls: readonly string[] = [
  '/api/admin/summary',
  '/api/admin/users',
  '/api/admin/payments',
  '/api/admin/active-subscriptions',
  '/api/admin/enquiries',
  '/api/admin/refunds',
]

/** The path of an address without its query. */
export const pathOfCall = (address: string): string => address.split('?', 1)[0] ?? ''

/** A dashboard shows two calls. The rest is for a browser with several windows. */
export const maxWatchedCalls = 16

export const liveQuery = z.object({
  /** Addresses of calls, such as `/api/admin/users?page=2`, separated by commas. */
  watch: z.string().max(8_000).default(''),
})

/**
 * The event `moved`: the new positions of the read models that moved since the event before. The
 * first event of a connection has all positions. The positions of shards are separated by commas.
 */
export const liveMoved = z.record(z.string(), z.string())
export type LiveMoved = Readonly<z.infer<typeof liveMoved>>

/**
 * The event `role`: the administrator's role, at the start of a connection and when it changes. The
 * rights of the session follow from it.
 */
export const liveRole = z.object({ role: adminRole })
export type LiveRole = Readonly<z.infer<typeof liveRole>>

/** The event `answer`: the new answer of a watched call. */
export const liveAnswer = z.object({ call: z.string(), answer: z.unknown() })

/**
 * Milliseconds between two events `heartbeat`. Proxies keep the connection, and the browser notices
 * a dead one.
 */
export const heartbeatMs = 10_000
