import { testReturnTokens } from '../mail/return-tokens.ts'
import { createRecipientBudget } from '#services/accounts/recipient-budget'
import pino from 'pino'
import { readModelReady } from '#projections/engine/operate/status'
import { receivables } from '#projections/receivables/read-model'
import { users } from '#projections/users/read-model'
import { createAccounts } from '#services/accounts/accounts'
import { authRoutes } from '#services/accounts/auth-routes'
import { deleteAccountRoutes } from '#services/accounts/delete-account-routes'
import type { DeleteParts } from '#services/accounts/delete-person'
import { createOwnProfile } from '#services/accounts/own-profile'
import { profileRoutes } from '#services/accounts/profile-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { adminListRoutes } from '#services/admin/list-routes'
import { checkoutRoutes } from '#services/billing/checkout-routes'
import { erasedAccountReactor } from '#services/billing/erased-account-reactor'
import type { CommandHandler } from '#services/commands/handle-command'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { createLimits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { createMailer } from '#services/mail/mailer'
import { createTestDatabase } from '../postgres/database.ts'
import { serveArea } from './area-server.ts'
import { startBillingSide } from './billing-side.ts'
import { createClient } from './client.ts'
import { createQuickHash } from './quick-hash.ts'
import { startTestSandbox } from './sandbox.ts'
import { oneEmailKey } from '../data/one-email-key.ts'
import { until } from '../machine/until.ts'

export type AccountSide = Awaited<ReturnType<typeof startAccountSide>>

/** Sign-in, checkout, profile and deletion, with the sandbox as payment provider. */
export async function startAccountSide() {
  const log = pino({ level: 'silent' })
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const side = await startBillingSide({ database, sandbox }, log)
  const { billing, codec, commands, keys, prices, provider, readSide, store } = side
  const { pool } = database
  for (const model of [users, receivables])
    await until(() => readModelReady(pool, model), 'the read model is not built')
  const emailKeys = oneEmailKey(Buffer.alloc(32, 3))
  const accounts = createAccounts({ commands, clock: systemClock, ids: randomIds, emailKeys })
  const mailer = createMailer(`smtp://127.0.0.1:${sandbox.smtpPort}`, 'codes@example.com')
  /** A test can replace the parts between two calls. */
  const hooks = {
    beforeErasure: async (): Promise<void> => undefined,
    beforeKey: async (): Promise<void> => undefined,
  }
  const hooked: CommandHandler = {
    ...commands,
    async handle(request) {
      const { command } = request
      const isErasure =
        typeof command === 'object' &&
        command !== null &&
        'type' in command &&
        command.type === 'erase-personal-data'
      if (isErasure) await hooks.beforeErasure()
      return commands.handle(request)
    },
  }
  const parts: DeleteParts = {
    billing,
    commands: hooked,
    keys: {
      ...keys,
      async erase(subject) {
        await hooks.beforeKey()
        await keys.erase(subject)
      },
    },
    pool,
    clock: systemClock,
    emailKeys,
    enquiries: createEnquiryErasure({ commands, keys, clock: systemClock }),
  }
  const areas: readonly Routes[] = [
    authRoutes({
      returnTokens: testReturnTokens,
      accounts,
      queries: readSide.session,
      codes: createSignInCodeStore(pool, systemClock, createQuickHash()),
      mailer,
      limits: createLimits(pool),
      recipients: createRecipientBudget({ limits: createLimits(pool), accounts }),
      inboxUrl: null,
    }),
    profileRoutes({
      accounts,
      limits: createLimits(pool),
      ownProfile: createOwnProfile({ accounts, queries: readSide.profile, log: { store, codec } }),
    }),
    deleteAccountRoutes(parts),
    checkoutRoutes({
      accounts,
      billing,
      prices,
      assertPricesChecked: () => Promise.resolve(),
      provider,
      publicUrl: 'http://localhost:3000',
      limits: createLimits(pool),
    }),
    adminListRoutes({ queries: readSide.admin, clock: systemClock }),
  ]
  const server = await serveArea((route) => areas.forEach((area) => area(route)), log, {
    database,
    trustProxy: true,
  })
  return Object.assign(side, {
    accounts,
    /** What a deletion needs. */
    deleting: parts,
    hooks,
    pool,
    sandbox,
    reactor: erasedAccountReactor({ ...parts, billing }),
    client: (always?: Record<string, string>) =>
      createClient({ url: server.url, sandboxUrl: sandbox.url }, always),
    async closeAll() {
      await server.close()
      await side.close()
      mailer.close()
      await sandbox.close()
      await database.drop()
    },
  })
}
