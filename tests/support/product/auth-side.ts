import pino from 'pino'
import { createAccounts } from '#services/accounts/accounts'
import { authRoutes } from '#services/accounts/auth-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { createLimits } from '#services/http/limits'
import { createMailer } from '#services/mail/mailer'
import { createTestDatabase } from '../postgres/database.ts'
import { serveArea } from './area-server.ts'
import { createClient } from './client.ts'
import { startTestSandbox } from './sandbox.ts'

export type AuthSide = Awaited<ReturnType<typeof startAuthSide>>

/** The calls of the sign-in, with the sandbox's mail server. */
export async function startAuthSide() {
  const log = pino({ level: 'silent' })
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store, codec, clock: systemClock })
  const mailer = createMailer(`smtp://127.0.0.1:${sandbox.smtpPort}`, 'codes@example.com')
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailHmacKey: Buffer.alloc(32, 3),
  })
  const routes = authRoutes({
    accounts,
    billing: { isCustomer: () => Promise.resolve(false) },
    codes: createSignInCodeStore(pool, systemClock),
    mailer,
    limits: createLimits(pool),
    clock: systemClock,
  })
  const server = await serveArea(routes, log, { database })
  const addresses = { url: server.url, sandboxUrl: sandbox.url }
  return {
    accounts,
    pool,
    client: (always?: Record<string, string>) => createClient(addresses, always),
    addresses,
    eventsOf: (stream: string) => store.readStream(stream),
    async close() {
      await server.close()
      mailer.close()
      await store.close()
      await sandbox.close()
      await database.drop()
    },
  }
}
