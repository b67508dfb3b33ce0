import type { z } from 'zod'
import { adminSummary } from '#contracts/admin/summary'
import { adminUsersQuery, adminUsersResponse, type AdminUsersQuery } from '#contracts/admin/users'
import { lastReachableRow } from '#contracts/paging'
import type { Clock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import type { ReadContext } from '#services/http/read-your-writes'
import { badRequest } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'

/** The queries of the admin console. */
export interface AdminQueries {
  /**
   * Waits until the read models show the session's own writes.
   * @throws HttpError 503 while a read model is being built
   */
  ready(context: ReadContext): Promise<void>
  users(query: AdminUsersQuery, now: Date): Promise<z.input<typeof adminUsersResponse>>
  summary(now: Date): Promise<z.input<typeof adminSummary>>
}

/** The routes of the admin console's lists and cards. */
export function adminListRoutes({
  queries,
  clock,
}: {
  readonly queries: AdminQueries
  readonly clock: Clock
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/users',
      summary: 'List users',
      access: 'admin',
      query: adminUsersQuery,
      answer: adminUsersResponse,
      async handle({ query }, context) {
        refuseFarPages(query)
        await queries.ready(context)
        return queries.users(query, clock.now())
      },
    })

    route({
      method: 'get',
      path: '/api/admin/summary',
      summary: 'Read the figures of the dashboard',
      access: 'admin',
      answer: adminSummary,
      async handle(_input, context) {
        await queries.ready(context)
        return queries.summary(clock.now())
      },
    })
  }
}

function refuseFarPages({
  page,
  pageSize,
}: {
  readonly page: number
  readonly pageSize: number
}): void {
  if ((page - 1) * pageSize < lastReachableRow) return
  throw badRequest(
    'page',
    `Pages end at row ${formatCount(lastReachableRow)}. Narrow the list with a search or a filter.`,
  )
}
