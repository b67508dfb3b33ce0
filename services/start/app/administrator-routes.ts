import { createAdminPasswordCheck, hashAdminPassword } from '#services/admin/admin-password'
import { blockRoutes } from '#services/admin/block-routes'
import { deadLetterRoutes } from '#services/admin/dead-letter-routes'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { passkeyLoginRoutes } from '#services/admin/passkey-login-routes'
import { passkeyRoutes } from '#services/admin/passkey-routes'
import { createRecordAdminAccess } from '#services/admin/record-admin-access'
import { administratorsRoutes } from '#services/administrators/administrators-routes'
import { createPasskeyChallenges } from '#services/administrators/passkeys/passkey-challenges'
import { relyingPartyOf } from '#services/administrators/passkeys/relying-party'
import { refundApprovalRoutes } from '#services/billing/refund-approval-routes'
import { refundPaymentRoutes } from '#services/billing/refund-payment-routes'
import { refundRoutes } from '#services/billing/refund-routes'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { Routes } from '#services/http/routes'
import { deleteAdminSessions, deleteCustomerSessions } from '#services/http/sessions/session-tables'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/** The routes by which an administrator signs in and acts: refunds, blocks, unsent messages. */
export async function administratorRoutes(
  { config }: Pick<StartContext, 'config'>,
  { storage: { pool }, accounts, mailer, commands, clock, side, readSide }: AppParts,
  { limits, codes, slowHash, eventLog }: SharedParts,
): Promise<readonly Routes[]> {
  const { billing, refunds, approvals, administrators } = side
  const passwordHash =
    'passwordHash' in config.admin
      ? config.admin.passwordHash
      : await hashAdminPassword(config.admin.password, slowHash)
  const challenges = createPasskeyChallenges(pool, systemClock)
  const site = relyingPartyOf(config.publicUrl)
  return [
    refundRoutes({ commands, refunds: readSide.refunds, clock }),
    refundPaymentRoutes({ refunds, approvals, payments: readSide.payments }),
    deadLetterRoutes({ pool, record: createRecordAdminAccess({ commands, clock }) }),
    refundApprovalRoutes({
      approvals,
      administrators,
      queries: readSide.history,
      payments: readSide.payments,
      clock,
    }),
    adminLoginRoutes({
      commands,
      administrators,
      codes,
      mailer,
      hmacOf: accounts.hmacOf,
      limits,
      clock,
      ids: randomIds,
      isPassword: createAdminPasswordCheck(passwordHash, slowHash),
    }),
    administratorsRoutes({
      administrators,
      queries: readSide.history,
      log: eventLog,
      endSessions: (adminId) => deleteAdminSessions(pool, adminId),
    }),
    passkeyLoginRoutes({ commands, administrators, challenges, site, limits, pool, clock }),
    passkeyRoutes({ administrators, challenges, site, limits, pool }),
    blockRoutes({
      accounts,
      billing,
      endSessions: (userId) => deleteCustomerSessions(pool, userId),
    }),
  ]
}
