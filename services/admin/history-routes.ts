import { z } from 'zod'
import {
  activityQuery,
  activityResponse,
  rawEventResponse,
  totalEventsQuery,
  totalEventsResponse,
  userHistoryQuery,
  userHistoryResponse,
  type HistoryPage,
} from '#contracts/admin/history'
import { isUserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { noSuchUser } from '#services/http/access'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { activityTypes } from './history/activity-kinds.ts'
import { cursorAfter, placeOf, unknownCursor } from './history/cursor.ts'
import { toHistoryEvent } from './history/history-event.ts'
import type { EntryPage, HistoryQueries } from './history/history-queries.ts'
import { rawEvent } from './history/raw-event.ts'
import { readEvents, type EventLogParts } from './history/read-events.ts'
import { totalEvents } from './history/total-events.ts'
import { userAsOf } from './history/user-as-of.ts'

export interface HistoryParts {
  readonly queries: HistoryQueries
  readonly log: EventLogParts
  readonly clock: Clock
}

/** The largest revision that PostgreSQL's integer holds. */
const largestRevision = 2_147_483_647

/** The routes of the audit: every event, in words and as the log holds it. */
export function historyRoutes({ queries, log, clock }: HistoryParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/users/:userId/history',
      summary: 'Read the history of a user',
      access: 'admin',
      params: z.object({ userId: z.string().min(1).max(255) }),
      query: userHistoryQuery,
      answer: userHistoryResponse,
      alsoAnswers: [404],
      async handle({ params: { userId }, query }, context) {
        const after = placeOf(query.after)
        const asOf = query.asOf === undefined ? null : new Date(query.asOf)
        if (!isUserId(userId)) throw noSuchUser()
        await queries.ready(context)
        const user = await queries.user(userId, clock.now())
        if (user === null) throw noSuchUser()
        const [page, days, userThen] = await Promise.all([
          queries.userPage(userId, { kind: query.kind, asOf, after, limit: query.limit }),
          queries.days(userId, asOf),
          asOf === null ? user : userAsOf(log, queries, userId, asOf),
        ])
        return { ...(await inWords(page)), days, user: userThen }
      },
    })

    route({
      method: 'get',
      path: '/api/admin/events',
      summary: 'Read the events that a total of the dashboard is made of',
      access: 'admin',
      query: totalEventsQuery,
      answer: totalEventsResponse,
      async handle({ query: { total, after, limit } }, context) {
        const request = { after: placeOf(after), limit }
        await queries.ready(context)
        return inWords(await queries.pageOfTypes(totalEvents[total], request))
      },
    })

    route({
      method: 'get',
      path: '/api/admin/activity',
      summary: 'Read what administrators did',
      access: 'admin',
      query: activityQuery,
      answer: activityResponse,
      async handle({ query: { kind, after, limit } }, context) {
        const request = { after: placeOf(after), limit }
        await queries.ready(context)
        return inWords(await queries.activityPage(activityTypes(kind), request))
      },
    })

    route({
      method: 'get',
      path: '/api/admin/events/:stream/:revision',
      summary: 'Read an event as the log holds it',
      access: 'admin',
      params: z.object({
        stream: z.string().min(1).max(300),
        revision: z.coerce.number().int().min(0).max(largestRevision),
      }),
      answer: rawEventResponse,
      alsoAnswers: [404],
      async handle({ params }, context) {
        await queries.ready(context)
        const found = await rawEvent(log, queries, params)
        if (found === null)
          throw new HttpError(404, 'There is no event at this place. Go back to the history.')
        return found
      },
    })
  }

  /** @throws HttpError 400 for a cursor of an event that the index does not have */
  async function inWords(page: EntryPage | null): Promise<HistoryPage> {
    if (page === null) throw unknownCursor()
    const { entries, isLast, total, totalIsExact } = page
    const last = entries.at(-1)
    const [events, emails] = await Promise.all([
      readEvents(log, entries),
      queries.emails([...new Set(entries.flatMap(({ userId }) => userId ?? []))]),
    ])
    return {
      items: events.map((event, index) => {
        const id = entries[index]?.userId ?? null
        return toHistoryEvent(event, id === null ? null : { id, email: emails.get(id) ?? null })
      }),
      total,
      totalIsExact,
      next: isLast || last === undefined ? null : cursorAfter(last),
    }
  }
}
