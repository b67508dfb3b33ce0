import { returnTokensOf } from '../tokens-of.ts'
import { authRoutes } from '#services/accounts/auth-routes'
import { deleteAccountRoutes } from '#services/accounts/delete-account-routes'
import { ownDataRoutes } from '#services/accounts/own-data-routes'
import { createOwnProfile } from '#services/accounts/own-profile'
import { profileRoutes } from '#services/accounts/profile-routes'
import { secondaryEmailRoutes } from '#services/accounts/secondary-email-routes'
import { sessionListRoutes } from '#services/accounts/session-list-routes'
import { sessionRoutes } from '#services/accounts/session-routes'
import { createTakeOver } from '#services/accounts/take-over'
import { createEnquiriesOf } from '#services/enquiries/enquiries-of'
import { enquiryRoutes } from '#services/enquiries/enquiry-routes'
import { systemClock } from '#services/foundation/clock'
import type { Routes } from '#services/http/routes'
import { inboxUrl } from '#services/settings/inbox-url'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/** The routes by which a person has an account: sign-in, profile, own data, deletion, enquiries. */
export function customerRoutes(
  { config }: Pick<StartContext, 'config'>,
  { storage, accounts, mailer, commands, keys, emailKeys, clock, side, readSide }: AppParts,
  { limits, recipients, codes, eventLog, erasure }: SharedParts,
): readonly Routes[] {
  const { pool } = storage
  const { billing } = side
  const ownProfile = createOwnProfile({ accounts, queries: readSide.profile, log: eventLog })
  const inbox = inboxUrl(config)
  return [
    authRoutes({
      returnTokens: returnTokensOf(config),
      accounts,
      queries: readSide.session,
      codes,
      mailer,
      limits,
      recipients,
      inboxUrl: inbox,
    }),
    sessionRoutes({
      accounts,
      queries: readSide.session,
      needsSecondPerson:
        config.secondPerson.refundAbove !== null || config.secondPerson.exportAbove !== null,
      clock,
      sandbox: config.sandbox === null ? null : { inboxUrl: inbox, realClock: systemClock },
    }),
    secondaryEmailRoutes({
      accounts,
      codes,
      pool,
      recipients,
      takeOver: createTakeOver({ ...erasure, hasCustomer: billing.hasCustomer }),
    }),
    sessionListRoutes({ accounts, codes, pool, securityClock: systemClock }),
    profileRoutes({ accounts, ownProfile, limits }),
    ownDataRoutes({
      ownProfile,
      log: eventLog,
      accounts,
      enquiriesOf: createEnquiriesOf({ ...eventLog, keys, emailKeys }),
      pool,
      limits,
      clock,
      securityClock: systemClock,
    }),
    deleteAccountRoutes({ ...erasure, billing }),
    enquiryRoutes({ commands, limits, clock, emailKeys, recipients }),
  ]
}
