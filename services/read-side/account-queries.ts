import { readModelReady } from '#projections/engine/operate/status'
import { ownProfile } from '#projections/users/queries/own-profile'
import { sessionUser } from '#projections/users/queries/session-user'
import { unverifiedUsers } from '#projections/users/queries/unverified'
import { users } from '#projections/users/read-model'
import type { UnverifiedQueries } from '#services/accounts/erase-unverified'
import type { ProfileQueries } from '#services/accounts/own-profile'
import type { SessionQueries } from '#services/accounts/session-routes'
import type { ReadParts } from './read-parts.ts'

/** What the product knows of a person, for the routes of accounts and the erasure. */
export interface AccountQueries {
  readonly session: SessionQueries
  readonly profile: ProfileQueries
  readonly unverified: UnverifiedQueries
}

export function createAccountQueries({
  pool,
  ready,
}: Pick<ReadParts, 'pool' | 'ready'>): AccountQueries {
  return {
    session: {
      ready: ready(users),
      user: (userId) => sessionUser(pool, userId),
    },
    profile: {
      ready: ready(users),
      profile: (userId) => ownProfile(pool, userId),
    },
    unverified: {
      isReady: () => readModelReady(pool, users),
      unverified: (openedUntil, after, limit) => unverifiedUsers(pool, openedUntil, after, limit),
    },
  }
}
