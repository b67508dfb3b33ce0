import pino from 'pino'
import type { AdminRole } from '#contracts/admin/roles'
import { passkeyLoginRoutes } from '#services/admin/passkey-login-routes'
import { passkeyRoutes } from '#services/admin/passkey-routes'
import { createAdministrators } from '#services/administrators/administrators'
import type { AdministratorsCommand } from '#services/administrators/administrators-decider'
import { createPasskeyChallenges } from '#services/administrators/passkeys/passkey-challenges'
import { relyingPartyOf } from '#services/administrators/passkeys/relying-party'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { createLimits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { z } from 'zod'
import { testContext } from '../data/test-context.ts'
import { macKey } from '../event-store/mac-key.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { asserted, created, type newPasskey, type Wrong } from '../webauthn/soft-authenticator.ts'
import { serveArea } from './area-server.ts'
import { createClient } from './client.ts'

export type PasskeySide = Awaited<ReturnType<typeof startPasskeySide>>
type Client = ReturnType<typeof createClient>
type SoftPasskey = ReturnType<typeof newPasskey>

const signInArea: Routes = (route) =>
  route({
    method: 'post',
    path: '/api/test-sign-in',
    summary: 'Sign in',
    access: 'public',
    body: z.object({ admin: z.string() }),
    answer: z.object({}),
    async handle({ body }, { admin }) {
      await admin.signIn(body.admin)
      return {}
    },
  })

/** The calls about passkeys over a test database, and authenticators that answer them. */
export async function startPasskeySide({ publicUrl }: { readonly publicUrl: string }) {
  const database = await createTestDatabase()
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 'master')))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  const administrators = createAdministrators({ commands, clock: systemClock })
  const time = { aheadMs: 0 }
  const challenges = createPasskeyChallenges(database.pool, {
    now: () => new Date(Date.now() + time.aheadMs),
  })
  const site = relyingPartyOf(publicUrl)
  const parts = {
    commands,
    administrators,
    challenges,
    site,
    limits: createLimits(database.pool),
    pool: database.pool,
    clock: systemClock,
  }
  const server = await serveArea(
    (route) => {
      signInArea(route)
      passkeyLoginRoutes(parts)(route)
      passkeyRoutes(parts)(route)
    },
    pino({ level: 'silent' }),
    { database, trustProxy: true, personOf: administrators.person },
  )

  let network = 0
  const browser = () =>
    createClient(
      { url: server.url, sandboxUrl: '' },
      { 'x-forwarded-for': `198.51.100.${(network += 1)}` },
    )
  type Change<Command = AdministratorsCommand> = Command extends unknown
    ? Omit<Command, 'at' | 'by'>
    : never
  const change = (command: Change) =>
    administrators.change({ ...command, by: { kind: 'operator' } }, testContext())
  const ceremony = (challenge: unknown) => ({
    origin: new URL(publicUrl).origin,
    rpId: new URL(publicUrl).hostname,
    challenge: String(challenge),
  })

  return {
    pool: database.pool,
    time,
    browser,
    change,
    async add(who: string, role: AdminRole = 'owner') {
      const email = `${who}@agilereceivables.example`
      return change({
        type: 'add-administrator',
        person: { adminId: `adm_${who}`, name: who, email, role },
      })
    },
    async signedIn(who: string): Promise<Client> {
      const client = browser()
      await client.post('/api/test-sign-in', { admin: `adm_${who}` })
      return client
    },
    /** Adds a passkey as the browser does. */
    async addPasskey(client: Client, passkey: SoftPasskey, label = 'Laptop', wrong: Wrong = {}) {
      const { body, status } = await client.post('/api/admin/passkeys/options')
      if (status !== 200) return { status, body }
      const made = created(passkey, ceremony(body?.['challenge']), wrong)
      return client.post('/api/admin/passkeys', { label, passkey: made })
    },
    /** The challenge that the browser gets, signed. */
    async assertion(client: Client, passkey: SoftPasskey, wrong: Wrong = {}) {
      const { body } = await client.post('/api/admin/login/passkey/options')
      return asserted(passkey, ceremony(body?.['challenge']), wrong)
    },
    async signIn(client: Client, passkey: SoftPasskey, wrong: Wrong = {}) {
      return client.post('/api/admin/login/passkey', await this.assertion(client, passkey, wrong))
    },
    isIn: async (client: Client) => (await client.get('/api/admin/passkeys')).status === 200,
    /** The events of all streams, decrypted, as `type` and `data`. */
    async events() {
      const found = []
      for await (const page of store.readAll(null))
        for (const { type, data } of await codec.decode(page)) found.push({ type, data })
      return found
    },
    async close() {
      await server.close()
      await store.close()
      await database.drop()
    },
  }
}

export const handleOf = (who: string) => Buffer.from(`adm_${who}`).toString('base64url')
