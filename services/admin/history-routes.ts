import { z } from 'zod'
import {
  activityQuery,
  activityResponse,
  rawEventResponse,
  sharedLogin,
  totalEventsQuery,
  totalEventsResponse,
  userHistoryQuery,
  userHistoryResponse,
  type HistoryPage,
} from '#contracts/admin/history'
import { isUserId } from '#contracts/ids'
import { createAccessRecords } from '#services/commands/access-records'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { noSuchUser } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { activityTypes } from './history/activity-kinds.ts'
import { cursorAfter, placeOf, unknownCursor } from './history/cursor.ts'
import { toDamagedHistoryEvent, toHistoryEvent } from './history/history-event.ts'
import type {
  ActorFilter,
  EntryPage,
  EventPlace,
  HistoryQueries,
} from './history/history-queries.ts'
import { rawEvent } from './history/raw-event.ts'
import { readEventsOrDamage, type EventLogParts } from './history/read-events.ts'
import { totalEvents } from './history/total-events.ts'
import { createUserAsOf } from './history/user-as-of.ts'

export interface HistoryParts {
  readonly queries: HistoryQueries
  readonly log: EventLogParts
  readonly commands: Pick<CommandHandler, 'record'>
  readonly clock: Clock
}

/** The largest revision that PostgreSQL's integer holds. */
const largestRevision = 2_147_483_647

const eventParams = z.object({
  stream: z.string().min(1).max(300),
  revision: z.coerce.number().int().min(0).max(largestRevision),
})

/** The routes of the audit: every event, in words and as the log holds it. */
export function historyRoutes({ queries, log, commands, clock }: HistoryParts): Routes {
  const accesses = createAccessRecords({ commands, clock })
  const userAt = createUserAsOf(log, queries)
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/users/:userId/history',
      work: 'reports',
      summary: 'Read the history of a user',
      access: 'admin',
      right: 'read',
      params: z.object({ userId: z.string().min(1).max(255) }),
      query: userHistoryQuery,
      answer: userHistoryResponse,
      alsoAnswers: [404],
      async handle({ params: { userId }, query }, context) {
        const { signal } = context
        const after = placeOf(query.after)
        const asOf = query.asOf === undefined ? null : new Date(query.asOf)
        if (!isUserId(userId)) throw noSuchUser()
        await queries.ready(context)
        const [user, page, userThen] = await Promise.all([
          queries.user(userId, clock.now(), signal),
          queries.userPage(
            userId,
            {
              kind: query.kind,
              asOf,
              days: { from: query.from, to: query.to },
              actors: await actorsOf(query.person),
              after,
              limit: query.limit,
            },
            signal,
          ),
          asOf === null ? null : userAt(userId, asOf),
        ])
        if (user === null) throw noSuchUser()
        if (page === null) throw unknownCursor()
        const emails = new Map([[userId as string, user.email]])
        return {
          ...(await inWords(page, emails)),
          days: page.days,
          user: asOf === null ? user : userThen,
        }
      },
    })

    route({
      method: 'get',
      path: '/api/admin/events',
      work: 'reports',
      summary: 'Read the events that a total of the dashboard is made of',
      access: 'admin',
      right: 'read',
      query: totalEventsQuery,
      answer: totalEventsResponse,
      async handle({ query: { total, after, limit } }, context) {
        const request = { after: placeOf(after), limit }
        await queries.ready(context)
        return withEmails(await queries.pageOfTypes(totalEvents[total], request, context.signal))
      },
    })

    route({
      method: 'get',
      path: '/api/admin/activity',
      work: 'reports',
      summary: 'Read what administrators did',
      access: 'admin',
      right: 'read',
      query: activityQuery,
      answer: activityResponse,
      async handle({ query: { kind, person, from, to, after, limit } }, context) {
        const request = { after: placeOf(after), limit }
        await queries.ready(context)
        return withEmails(
          await queries.activityPage(
            {
              types: activityTypes(kind),
              days: { from, to },
              actors: await actorsOf(person),
            },
            request,
            context.signal,
          ),
        )
      },
    })

    route({
      method: 'get',
      path: '/api/admin/events/:stream/:revision',
      work: 'reports',
      summary: 'Read an event as the log holds it',
      access: 'admin',
      right: 'read',
      params: eventParams,
      answer: rawEventResponse,
      alsoAnswers: [404],
      async handle({ params }, context) {
        await queries.ready(context)
        const { answer } = await eventAt(params, 'hidden')
        return answer
      },
    })

    route({
      method: 'post',
      path: '/api/admin/events/:stream/:revision/client-data',
      appends: 'administrator',
      work: 'reports',
      summary: 'Open the data of a client in an event',
      access: 'admin',
      right: 'read',
      ignoresIdempotencyKey: true,
      params: eventParams,
      answer: rawEventResponse,
      alsoAnswers: [404],
      async handle({ params }, context) {
        await queries.ready(context)
        const { answer, opened } = await eventAt(params, 'shown')
        if (opened === null) return answer
        const { adminId } = context
        const { merchantId: userId, clientId } = opened
        return accesses.recordThen(
          { type: 'ClientDataOpened', data: { adminId, userId, clientId, ...params } },
          commandContext(context, { kind: 'admin', id: adminId }),
          ({ position }) => {
            context.admin.remember(position)
            return answer
          },
        )
      },
    })
  }

  /** @throws HttpError 404 */
  async function eventAt(place: EventPlace, clientData: 'hidden' | 'shown') {
    const found = await rawEvent(log, queries, place, clientData)
    if (found !== null) return found
    throw new HttpError(404, 'There is no event at this place. Go back to the history.')
  }

  async function actorsOf(person: string | undefined): Promise<ActorFilter | null> {
    if (person === undefined) return null
    if (person !== sharedLogin) return { kind: 'person', adminId: person }
    return { kind: 'shared', named: [...(await log.administratorNames()).keys()] }
  }

  /** @throws HttpError 400 for a cursor of an event that the index does not have */
  async function withEmails(page: EntryPage | null): Promise<HistoryPage> {
    if (page === null) throw unknownCursor()
    const users = new Set(page.entries.flatMap(({ userId }) => userId ?? []))
    return inWords(page, await queries.emails([...users]))
  }

  /** `emails`: the addresses of the users of the page. */
  async function inWords(
    { entries, isLast, total, totalIsExact }: EntryPage,
    emails: ReadonlyMap<string, string>,
  ): Promise<HistoryPage> {
    const last = entries.at(-1)
    const [events, names] = await Promise.all([
      readEventsOrDamage(log, entries),
      log.administratorNames(),
    ])
    return {
      items: entries.flatMap((entry, index) => {
        const event = events[index]
        if (event === undefined) return []
        const { userId: id } = entry
        const user = id === null ? null : { id, email: emails.get(id) ?? null }
        return 'damage' in event
          ? toDamagedHistoryEvent(event, entry, user)
          : toHistoryEvent(event, user, names)
      }),
      total,
      totalIsExact,
      people: [...names].map(([id, name]) => ({ id, name })),
      next: isLast || last === undefined ? null : cursorAfter(last),
    }
  }
}
