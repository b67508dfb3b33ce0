import type { z } from 'zod'
import { adminListNames, adminLists, type AdminListName } from '#contracts/admin/lists'
import { adminSummary } from '#contracts/admin/summary'
import { lastReachableRow } from '#contracts/paging'
import type { Clock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import type { Given } from '#services/http/answer'
import type { ReadContext } from '#services/http/read-your-writes'
import { badRequest } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'

type Lists = typeof adminLists

/** The queries of the admin console. */
export interface AdminQueries {
  /**
   * Waits until the read models show the session's own writes.
   * @throws HttpError 503 while a read model is being built
   */
  ready(context: ReadContext): Promise<void>
  /** A page of each list, as of `now`. Aborting `signal` ends the statements. */
  readonly lists: {
    readonly [Name in AdminListName]: (
      query: z.output<Lists[Name]['query']>,
      now: Date,
      signal: AbortSignal,
    ) => Promise<z.input<Lists[Name]['page']>>
  }
  summary(now: Date, signal: AbortSignal): Promise<z.input<typeof adminSummary>>
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
    const listRoutes: Readonly<Record<AdminListName, () => void>> = {
      users: () =>
        listRoute('users', 'List users', adminLists.users, (...query) =>
          queries.lists.users(...query),
        ),
      payments: () =>
        listRoute('payments', 'List payments', adminLists.payments, (...query) =>
          queries.lists.payments(...query),
        ),
      'active-subscriptions': () =>
        listRoute(
          'active-subscriptions',
          'List active subscriptions',
          adminLists['active-subscriptions'],
          (...query) => queries.lists['active-subscriptions'](...query),
        ),
      enquiries: () =>
        listRoute('enquiries', 'List enquiries', adminLists.enquiries, (...query) =>
          queries.lists.enquiries(...query),
        ),
      refunds: () =>
        listRoute('refunds', 'List refunds', adminLists.refunds, (...query) =>
          queries.lists.refunds(...query),
        ),
    }
    for (const name of adminListNames) listRoutes[name]()

    function listRoute<Query extends z.ZodType<PageRequest>, Page extends z.ZodType>(
      name: AdminListName,
      summary: string,
      { query, page }: { readonly query: Query; readonly page: Page },
      read: (query: z.output<Query>, now: Date, signal: AbortSignal) => Promise<Given<Page>>,
    ): void {
      route({
        method: 'get',
        path: `/api/admin/${name}`,
        summary,
        access: 'admin',
        right: 'read',
        query,
        answer: page,
        async handle(input, context) {
          refuseFarPages(input.query)
          await queries.ready(context)
          return read(input.query, clock.now(), context.signal)
        },
      })
    }

    route({
      method: 'get',
      path: '/api/admin/summary',
      summary: 'Read the figures of the dashboard',
      access: 'admin',
      right: 'read',
      answer: adminSummary,
      async handle(_input, context) {
        await queries.ready(context)
        return queries.summary(clock.now(), context.signal)
      },
    })
  }
}

interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

function refuseFarPages({ page, pageSize }: PageRequest): void {
  if ((page - 1) * pageSize < lastReachableRow) return
  throw badRequest(
    'page',
    `Pages end at row ${formatCount(lastReachableRow)}. Narrow the list with a search or a filter.`,
  )
}
