import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { file } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { eventsOfUser, type UserEventParts } from './events-of-user.ts'
import { ownData } from './own-data.ts'
import type { OwnProfile } from './own-profile.ts'
import { ownSessions } from './own-sessions.ts'

export interface OwnDataParts {
  readonly ownProfile: OwnProfile
  readonly log: UserEventParts
  readonly pool: Queryable
  readonly limits: Pick<Limits, 'dataDownload'>
  /** The business clock: the date in the name of the file. */
  readonly clock: Clock
  readonly securityClock: Clock
}

/** The download of everything that the product has recorded about the customer. */
export function ownDataRoutes(parts: OwnDataParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/profile/data',
      summary: "Download the customer's data",
      access: 'customer',
      answer: file(
        'application/json',
        'Everything that the product has recorded about the customer',
      ),
      alsoAnswers: [429],
      async handle(_input, context) {
        const { customer, userId } = context
        await parts.limits.dataDownload.spend(userId)
        const now = parts.clock.now()
        const document = ownData({
          userId,
          account: await parts.ownProfile(userId, context),
          sessions: await ownSessions(parts.pool, parts.securityClock, userId, customer),
          events: await eventsOfUser(parts.log, userId),
          now,
        })
        return {
          fileName: `my-data-${now.toISOString().slice(0, 10)}.json`,
          content: `${JSON.stringify(document, null, 2)}\n`,
        }
      },
    })
  }
}
