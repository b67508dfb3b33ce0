import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { file } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { UserId } from '#contracts/ids'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import type { Accounts } from './accounts.ts'
import { byTimeOfRecord, eventsOfUser, type UserEventParts } from './events-of-user.ts'
import { ownData } from './own-data.ts'
import type { OwnProfile } from './own-profile.ts'
import { ownSessions } from './own-sessions.ts'

export interface OwnDataParts {
  readonly ownProfile: OwnProfile
  readonly log: UserEventParts
  readonly accounts: Pick<Accounts, 'find'>
  /** The events of the enquiries of an address. Injected, because enquiries import accounts. */
  readonly enquiriesOf: (email: string) => Promise<readonly DecodedEvent[]>
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
      work: 'downloads',
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
          events: [
            ...(await eventsOfUser(parts.log, userId)),
            ...(await ownEnquiries(userId)),
          ].sort(byTimeOfRecord),
          now,
        })
        return {
          fileName: `my-data-${now.toISOString().slice(0, 10)}.json`,
          content: `${JSON.stringify(document, null, 2)}\n`,
        }
      },
    })
  }

  /** Of verified addresses only: anyone can enter the address of another person. */
  async function ownEnquiries(userId: UserId): Promise<readonly DecodedEvent[]> {
    const account = await parts.accounts.find(userId)
    if (account === null) return []
    return (await Promise.all([...account.verifiedEmails].map(parts.enquiriesOf))).flat()
  }
}
