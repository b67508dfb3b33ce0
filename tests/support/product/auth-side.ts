import { testReturnTokens } from '../mail/return-tokens.ts'
import type { AdminRole } from '#contracts/admin/roles'
import type { UserId } from '#contracts/ids'
import { createTakeOver } from '#services/accounts/take-over'
import pino, { type Logger } from 'pino'
import { readModelReady } from '#projections/engine/operate/status'
import { purchases } from '#projections/purchases/read-model'
import { receivables } from '#projections/receivables/read-model'
import { users } from '#projections/users/read-model'
import { createAccounts } from '#services/accounts/accounts'
import { authRoutes } from '#services/accounts/auth-routes'
import { ownDataRoutes } from '#services/accounts/own-data-routes'
import { createOwnProfile } from '#services/accounts/own-profile'
import { profileRoutes } from '#services/accounts/profile-routes'
import { createRecipientBudget } from '#services/accounts/recipient-budget'
import { secondaryEmailRoutes } from '#services/accounts/secondary-email-routes'
import { sessionListRoutes } from '#services/accounts/session-list-routes'
import { sessionRoutes } from '#services/accounts/session-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { purchasesRoutes } from '#services/billing/purchases-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { adminExportRoutes } from '#services/admin/export-routes'
import { unlimited } from '#services/admin/exports/export-permit'
import { createSentLists } from '#services/admin/exports/sent-list'
import { adminListRoutes } from '#services/admin/list-routes'
import { createEnquiriesOf } from '#services/enquiries/enquiries-of'
import { enquiryRoutes } from '#services/enquiries/enquiry-routes'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { SlowHash } from '#services/foundation/slow-hash'
import type { Routes } from '#services/http/routes'
import type { Admission } from '#services/http/admission/admission'
import { createLimits } from '#services/http/limits'
import { openAdminSessions } from '#services/http/sessions/session-tables'
import { createMailer } from '#services/mail/mailer'
import type { Reactor } from '#services/reactors/reactor'
import { startReactors } from '#services/reactors/run-reactor'
import { databaseLimits } from '#services/foundation/database-limits'
import { createPool } from '#services/postgres/connect'
import { createReadSide } from '#services/read-side/read-side'
import { createTestDatabase } from '../postgres/database.ts'
import { serveArea, type AreaServer } from './area-server.ts'
import { createClient } from './client.ts'
import { createQuickHash } from './quick-hash.ts'
import { startTestSandbox } from './sandbox.ts'
import { macKey } from '../event-store/mac-key.ts'
import { zone } from '../data/finance-values.ts'
import { oneEmailKey } from '../data/one-email-key.ts'
import { signInRoute } from './sign-in-route.ts'
import { until } from '../machine/until.ts'

export type AuthSide = Awaited<ReturnType<typeof startAuthSide>>

interface AuthOptions {
  readonly log?: Logger
  /** The port of the mail server. By default the sandbox's. */
  readonly smtpPort?: number
  /** Default: every request is handled at once. */
  readonly admission?: Admission
  /** The security clock, in milliseconds. */
  readonly now?: () => number
}

/**
 * The calls of the sign-in, with the sandbox's mail server, and the users read model. A client's
 * network address is its header `X-Forwarded-For`.
 */
export async function startAuthSide({
  log = pino({ level: 'silent' }),
  smtpPort,
  now = Date.now,
  admission,
}: AuthOptions = {}) {
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const watched = watch(store)
  const keys = createPersonalKeys(pool, Buffer.alloc(32, 7))
  const emailHmacKey = Buffer.alloc(32, 3)
  const emailKeys = oneEmailKey(emailHmacKey)
  const codec = createCodec(keys)
  const commands = createCommandHandler({
    store: watched.store,
    codec,
    clock: systemClock,
    macKey,
    // Tests change stored events behind a cache; stream-cache.test.ts has the cache.
    cache: null,
  })
  const mailer = createMailer(
    `smtp://127.0.0.1:${smtpPort ?? sandbox.smtpPort}`,
    'codes@example.com',
  )
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys,
  })
  const erasing = {
    commands,
    keys,
    pool,
    clock: systemClock,
    emailKeys,
    enquiries: createEnquiryErasure({ commands, keys, clock: systemClock }),
  }
  const withCustomer = new Set<UserId>()
  const counted = countHashes()
  const reading = createPool(connectionString, { max: 8, limits: databaseLimits.reading })
  const readSide = createReadSide({
    connectionString,
    pool,
    reading,
    store,
    codec,
    log,
    shards: 1,
    timeZone: zone('UTC'),
    onProjected: () => undefined,
  })
  let stopProjectors: (() => Promise<void>) | null = null
  const ownProfile = createOwnProfile({
    accounts,
    queries: readSide.profile,
    log: { store: watched.store, codec },
  })
  let role: AdminRole = 'owner'
  const personOf = (adminId: string) => Promise.resolve({ adminId, name: null, role })
  const securityClock = { now: () => new Date(now()) }
  /** The parts that hold state in a process are new for each server. */
  const serve = (cookiePort?: number) => {
    const codes = createSignInCodeStore(pool, securityClock, counted.newSlowHash())
    const recipients = createRecipientBudget({ limits: createLimits(pool), accounts })
    const areas: readonly Routes[] = [
      authRoutes({
        returnTokens: testReturnTokens,
        accounts,
        queries: readSide.session,
        codes,
        mailer,
        limits: createLimits(pool),
        recipients,
        inboxUrl: null,
      }),
      sessionRoutes({
        accounts,
        queries: readSide.session,
        clock: systemClock,
        needsSecondPerson: false,
        sandbox: null,
      }),
      secondaryEmailRoutes({
        accounts,
        codes,
        pool,
        recipients,
        takeOver: createTakeOver({ ...erasing, hasCustomer: async (id) => withCustomer.has(id) }),
      }),
      purchasesRoutes({ purchases: readSide.purchases, clock: systemClock }),
      adminSignIn,
      sessionListRoutes({ accounts, codes, pool, securityClock }),
      profileRoutes({ accounts, ownProfile, limits: createLimits(pool) }),
      ownDataRoutes({
        ownProfile,
        log: { store, codec },
        accounts,
        enquiriesOf: createEnquiriesOf({ store, codec, keys, emailKeys }),
        pool,
        limits: createLimits(pool),
        clock: systemClock,
        securityClock,
      }),
      adminListRoutes({ queries: readSide.admin, clock: systemClock }),
      adminExportRoutes({
        queries: readSide.admin,
        lists: createSentLists({
          queries: readSide.admin,
          commands,
          limits: createLimits(pool),
          access: {
            openSessions: (handles) => openAdminSessions(pool, handles, systemClock.now()),
            personOf,
          },
          clock: systemClock,
        }),
        approvals: { permitAlone: () => unlimited },
        limits: createLimits(pool),
      }),
      enquiryRoutes({
        commands,
        limits: createLimits(pool),
        clock: systemClock,
        emailKeys,
        recipients,
      }),
    ]
    return serveArea((route) => areas.forEach((area) => area(route)), log, {
      database,
      trustProxy: true,
      now,
      personOf,
      ...(admission && { admission }),
      ...(cookiePort === undefined ? {} : { cookiePort }),
    })
  }
  const server = await serve()
  let second: AreaServer | null = null
  const stopReactors: (() => Promise<void>)[] = []
  const addresses = { url: server.url, sandboxUrl: sandbox.url }
  return {
    accounts,
    commands,
    pool,
    watched,
    /** The hashes that both products computed. */
    hashes: () => counted.count(),
    client: (always?: Record<string, string>) => createClient(addresses, always),
    /** A second product on the same database. Its cookies have the names of the first one. */
    async startSecond() {
      second ??= await serve(server.port)
      const at = { url: second.url, sandboxUrl: sandbox.url }
      return (always?: Record<string, string>) => createClient(at, always)
    },
    addresses,
    codec,
    store,
    connectionString,
    eventsOf: (stream: string) => store.readStream(stream),
    /** The whole log, decrypted. */
    async readLog() {
      const events = []
      for await (const page of store.readAll(null)) events.push(...(await codec.decode(page)))
      return events
    },
    /** Runs reactors on the log until the end. */
    runReactors(reactors: readonly Reactor[]) {
      const stop = startReactors(reactors, {
        pool,
        store,
        codec,
        clock: systemClock,
        log,
        pollMs: 100,
      })
      stopReactors.push(stop)
    },
    mailer,
    /** The queries of the read models. */
    readSide,
    /** What an erasure needs. */
    erasing,
    /** The users with a customer at the payment provider. */
    withCustomer,
    /** The role of every administrator from now on. Default: owner. */
    setRole(changed: AdminRole): void {
      role = changed
    },
    async signInAsAdmin() {
      const client = createClient(addresses)
      await client.post('/api/admin/sign-in-without-password')
      return client
    },
    /** Builds the read models and keeps them up to date until the end. */
    async startProjectors() {
      stopProjectors ??= readSide.startProjectors()
      for (const model of [users, purchases, receivables])
        await until(() => readModelReady(pool, model), 'the read model is not built')
    },
    async close() {
      await Promise.all(stopReactors.map((stop) => stop()))
      await server.close()
      await second?.close()
      await stopProjectors?.()
      mailer.close()
      await store.close()
      await reading.end()
      await sandbox.close()
      await database.drop()
    },
  }
}

const adminSignIn = signInRoute('/api/admin/sign-in-without-password', 'admin')

function countHashes() {
  let count = 0
  return {
    count: () => count,
    newSlowHash(): SlowHash {
      const slowHash = createQuickHash()
      return (...given) => {
        count += 1
        return slowHash(...given)
      }
    },
  }
}

/** The store of the commands: it notes which streams are read, and can be unavailable. */
function watch(inner: EventStore) {
  const watched = {
    /** The streams that were read as a whole. */
    folded: [] as string[],
    isAway: false,
    /** Runs before each append. Rejects to be a crash before the append. */
    beforeAppend: async (_types: readonly string[]): Promise<void> => undefined,
    store: {
      ...inner,
      append: (...given: Parameters<EventStore['append']>) =>
        reach(async () => {
          await watched.beforeAppend(given[2].map(({ type }) => type))
          return inner.append(...given)
        }),
      readLast: (stream: string) => reach(() => inner.readLast(stream)),
      readStream: (...given: Parameters<EventStore['readStream']>) => {
        watched.folded.push(given[0])
        return reach(() => inner.readStream(...given))
      },
    } satisfies EventStore,
  }
  async function reach<T>(call: () => Promise<T>): Promise<T> {
    if (watched.isAway) throw new EventStoreUnavailable(new Error('the test stopped it'))
    return call()
  }
  return watched
}
