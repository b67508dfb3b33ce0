import { liveCalls, liveQuery, maxWatchedCalls, pathOfCall } from '#contracts/admin/live'
import type { CallReader } from '#services/http/call-reader'
import { eventStream } from '#services/http/event-stream'
import { badRequest, HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import type { LiveUpdates } from './live-updates.ts'

/** The live updates of the dashboard. */
export function adminLiveRoutes({
  live,
  calls,
}: {
  readonly live: LiveUpdates
  readonly calls: Pick<CallReader, 'check'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/live',
      summary: 'Receive the changes of the dashboard as they happen',
      access: 'admin',
      right: 'read',
      query: liveQuery,
      answer: eventStream(
        'Server-sent events: `moved` with the positions of read models, `answer` with the new answer of a watched call, `heartbeat`, `role` with the role of the administrator now, and `ended` when the session has ended',
      ),
      alsoAnswers: [429],
      async handle({ query }, { admin, customer, administrator }) {
        const watched = watchedCalls(query.watch)
        for (const call of watched) {
          if (!liveCalls.includes(pathOfCall(call)))
            throw badRequest('watch', 'names no call that can be watched.')
          calls.check(call)
        }
        const { handle } = admin
        const person = await administrator()
        if (handle === null || person === null)
          throw new HttpError(401, 'Log in as an administrator first.')
        live.assertRoom(handle)
        admin.keepExpiry()
        customer.keepExpiry()
        return (connection) => live.open(connection, { session: handle, person }, watched)
      },
    })
  }
}

function watchedCalls(watch: string): readonly string[] {
  const calls = [...new Set(watch.split(',').filter((call) => call !== ''))]
  if (calls.length <= maxWatchedCalls) return calls
  throw badRequest('watch', `names more than ${maxWatchedCalls} calls.`)
}
