import { randomBytes, randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import express from 'express'
import pino from 'pino'
import { z } from 'zod'
import { fileOfPage, publicPaths, shellFile } from '#contracts/pages'
import { planById } from '#contracts/plans'
import { parseAddressHmac, type UserId } from '#contracts/ids'
import { projectionStatus, readModelReady } from '#projections/engine/operate/status'
import { readModels } from '#projections/read-models'
import { createAdministrators } from '#services/administrators/administrators'
import { createAccounts } from '#services/accounts/accounts'
import { profileDigest } from '#services/accounts/profile-digest'
import { profileFromForm } from '#services/accounts/profile-from-form'
import { checkoutIdOf } from '#services/billing/product-ids'
import { createReconcilerState } from '#services/billing/reconciler/reconciler-state'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createNewerRelease } from '#services/event-store/newer-release'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { databaseLimits } from '#services/foundation/database-limits'
import { randomIds } from '#services/foundation/ids'
import { createAdmission } from '#services/http/admission/admission'
import { workLimits } from '#services/http/admission/work'
import { healthRoutes } from '#services/http/health'
import type { Routes } from '#services/http/routes'
import { createMailer } from '#services/mail/mailer'
import { termsOf } from '#services/payments/plan-prices'
import { createPool } from '#services/postgres/connect'
import { createBillingSide } from '#services/start/create-billing-side'
import { createOutsideServices } from '#services/health/outside-services'
import { passwordMark } from '#services/admin/password-mark'
import { startPriceCheck } from '#services/billing/price-check'
import { readConfig } from '#services/settings/read-config'
import { createReadSide } from '#services/read-side/read-side'
import { startApp } from '#services/start/start-app'
import { createPdfFiles } from '#services/start/pdf-files'
import { createStripeClient } from '#services/start/stripe-client'
import { createStartedParts } from '#services/start/started-parts'
import { textSenderOf } from '#services/start/text-sender-of'
import { untraced } from '#services/start/tracing/tracing'
import { oneEmailKey } from '../data/one-email-key.ts'
import { faultyStore } from '../event-store/faulty-store.ts'
import { startCountedLink } from '../machine/counted-link.ts'
import { freePort } from '../machine/free-port.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { testContext } from '../data/test-context.ts'
import { serveArea } from './area-server.ts'
import { createClient, payAt, profile } from './client.ts'
import { createFaultPoint } from './fault-point.ts'
import { inboxOf } from './inbox.ts'
import { productSettings } from './product-settings.ts'
import { startTestSandbox } from './sandbox.ts'
import { until } from '../machine/until.ts'

export type AppSide = Awaited<ReturnType<typeof startAppSide>>

export interface TestCustomer {
  readonly userId: UserId
  readonly email: string
  readonly client: ReturnType<typeof createClient>
}

const adminPassword = 'the administrator of the repeats'

/**
 * All calls of the product, composed as a start does, with a fault point in front of PostgreSQL and
 * of the event store. The projectors and the test itself have connections without faults. No
 * reactor runs, and the sandbox sends no webhooks: only the calls write events.
 */
export async function startAppSide(settings: Readonly<Record<string, string>> = {}) {
  const log = pino({ level: 'silent' })
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const pages = await temporaryDirectory()
  await writePages(pages.path)
  const port = await freePort()
  const config = readConfig({
    ...productSettings(database, sandbox),
    PORT: String(port),
    // A name: an IP address has no passkeys.
    PUBLIC_URL: `http://localhost:${port}`,
    TRUST_PROXY: 'true',
    API_DOCS: 'true',
    ADMIN_PASSWORD: adminPassword,
    SECOND_PERSON_REFUND_ABOVE: '1000',
    // So many that no test reaches it by chance.
    SECOND_PERSON_EXPORT_ABOVE: '100000',
    DATA_DIR: pages.path,
    ...settings,
  })

  const fault = createFaultPoint()
  const server = new URL(database.connectionString)
  const target = { host: server.hostname, port: Number(server.port) }
  const links = {
    pool: await startCountedLink(target, fault, 'pool'),
    log: await startCountedLink(target, fault, 'log'),
  }
  const through = (link: keyof typeof links) =>
    Object.assign(new URL(server.href), { hostname: '127.0.0.1', port: String(links[link].port) })
      .href

  const started = createStartedParts(log)
  const pool = createPool(through('pool'), { max: 8, limits: databaseLimits.requests })
  const reading = createPool(through('pool'), { max: 4, limits: databaseLimits.reading })
  const inner = createPostgresEventStore({ connectionString: through('log') })
  const quiet = createPostgresEventStore({ connectionString: database.connectionString })
  const faulty = partsOn(faultyStore(inner, fault), pool)
  const own = partsOn(quiet, database.pool)

  const readSideOn = (parts: ReturnType<typeof partsOn>, readingPool = parts.pool) =>
    createReadSide({
      connectionString: database.connectionString,
      pool: parts.pool,
      reading: readingPool,
      store: parts.store,
      codec: parts.codec,
      log,
      shards: 1,
      timeZone: config.reportingTimeZone,
      onProjected: () => undefined,
    })
  const stopProjectors = readSideOn(own).startProjectors()
  for (const model of readModels)
    await until(() => readModelReady(database.pool, model), 'a read model is not built', 30)

  const readSide = readSideOn(faulty, reading)
  const context = {
    config,
    log,
    started,
    newerRelease: createNewerRelease(log),
    tracing: untraced,
    outside: createOutsideServices(),
    print: () => undefined,
    signal: undefined,
  }
  const provided = { url: sandbox.url, smtpUrl: config.smtpUrl, stop: () => Promise.resolve() }
  const billingOn = (parts: ReturnType<typeof partsOn>, side: typeof readSide) =>
    createBillingSide(context, {
      sandbox: provided,
      pool: parts.pool,
      commands: parts.commands,
      clock: systemClock,
      readSide: side,
      reconcilerState: createReconcilerState(parts.pool, systemClock),
    })
  const side = billingOn(faulty, readSide)
  const mailer = createMailer(config.smtpUrl ?? '', 'codes@example.com')
  const prices = await startPriceCheck({
    prices: side.prices,
    read: side.ports.readPrice,
    log,
  })
  const files = createPdfFiles()
  started.add('threads of PDF files', () => files.close())
  const app = await startApp(context, {
    files,
    storage: {
      connectionString: through('pool'),
      sandboxDatabase: null,
      pool,
      reading,
      background: database.pool,
      store: faulty.store,
      isLogInDatabase: true,
      moved: new Promise(() => undefined),
    },
    accounts: faulty.accounts,
    mailer,
    texts: textSenderOf(config, sandbox.url),
    commands: faulty.commands,
    codec: faulty.codec,
    keys: faulty.keys,
    emailKeys,
    clock: systemClock,
    side,
    readSide,
    prices,
    admission: createAdmission({ limits: workLimits({ requests: 8, reading: 4 }), log }),
    metrics: {
      projected: () => undefined,
      reportTaken: () => undefined,
      messages: {
        message: () => undefined,
        skipped: () => undefined,
        bounced: () => undefined,
        optOut: () => undefined,
      },
      timeRequests: express.Router(),
      routes: express.Router(),
    },
    health: healthRoutes(async () => ({ isReady: true, reasons: [] })),
    webRoot: pages.path,
  })
  const http = createServer(app).listen(port, '127.0.0.1')
  await once(http, 'listening')
  const signIns = await serveArea(signInArea, log, {
    database,
    secrets: config.sessionSecrets,
    cookiePort: port,
    passwordMark: passwordMark(config),
  })

  const url = `http://127.0.0.1:${port}`
  // GET from another host is redirected to the public address.
  const addresses = { url: config.publicUrl, sandboxUrl: sandbox.url }
  /** Each client has a network of its own: no limit of a network counts two of them. */
  const client = () =>
    createClient(addresses, {
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`,
    })
  async function signedIn(body: z.infer<typeof signInBody>) {
    const signing = createClient({ ...addresses, url: signIns.url })
    await signing.post('/api/test-sign-in', body)
    const found = client()
    found.takeCookies(signing)
    return found
  }

  return {
    url,
    publicUrl: config.publicUrl,
    fault,
    adminPassword,
    sandbox,
    pool: database.pool,
    prices: side.prices,
    webhookSecret: config.stripe.webhookSecrets[0] ?? '',
    accounts: own.accounts,
    commands: own.commands,
    billing: billingOn(own, readSideOn(own)).billing,
    stripe: createStripeClient(config, provided),
    emailKeys,
    client,
    admin: () => signedIn({ admin: `adm_${randomIds.uuid()}` }),
    /** The administrator with this id, who was named. */
    signedInAdmin: (adminId: string) => signedIn({ admin: adminId }),
    newEmail,
    administrators: createAdministrators({ commands: own.commands, clock: systemClock }),
    signInAs: (userId: UserId, email: string) =>
      signedIn({ customer: userId, addressHmac: own.accounts.hmacOf(email) }),
    /** A signed-in customer with a verified address and a profile. */
    async newCustomer(): Promise<TestCustomer> {
      const email = newEmail()
      const { account } = await own.accounts.findOrOpen(email, testContext())
      const { userId } = account
      await own.accounts.completeProfile(
        userId,
        contractProfile,
        { isOwner: false, basedOn: null },
        testContext(),
      )
      await own.accounts.signIn(userId, email, profileDigest(contractProfile), testContext())
      return { userId, email, client: await this.signInAs(userId, email) }
    },
    /** Opens and pays the checkout of the monthly plan, and records the purchase. */
    async buy({ userId, email }: TestCustomer): Promise<void> {
      const plan = planById('monthly')
      const context = { ...testContext(), actor: { kind: 'customer', id: userId } as const }
      const opened = await this.billing.checkoutSessionFor(
        { userId, email, name: null, phone: null, address: null },
        checkoutIdOf(userId, context.commandId),
        termsOf(plan, side.prices.priceOf('monthly')),
        context,
      )
      if (opened.kind !== 'open') throw new Error(`The checkout is ${opened.kind}.`)
      const { status } = await payAt(opened.url)
      if (status !== 303) throw new Error(`The checkout page answered ${status}.`)
      await this.billing.sync(userId, testContext())
    },
    mailsTo: async (email: string) => inboxOf(addresses, email).read(),
    codeOf: (email: string) => inboxOf(addresses, email).code(),
    lastPosition: () => quiet.lastPosition(),
    /** Waits until all read models have the whole log. */
    async projected() {
      const end = await quiet.lastPosition()
      await until(async () => {
        const found = await projectionStatus(database.pool)
        return found.every(
          ({ position }) =>
            end === null || (position !== null && quiet.comparePositions(position, end) >= 0),
        )
      }, 'the read models do not have the whole log')
    },
    /** The events after a position, decrypted. */
    async eventsAfter(position: string | null) {
      const events = []
      for await (const page of quiet.readAll(position))
        events.push(...(await own.codec.decode(page)))
      return events
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await signIns.close()
      prices.close()
      mailer.close()
      await started.stop()
      await stopProjectors()
      await Promise.all([inner.close(), quiet.close()])
      await Promise.all([pool.end(), reading.end()])
      await Promise.all([links.pool.close(), links.log.close()])
      await sandbox.close()
      await database.drop()
      await pages.remove()
    },
  }

  function partsOn(store: EventStore, requests: typeof pool) {
    const keys = createPersonalKeys(requests, config.masterKey)
    const codec = createCodec(keys)
    const commands = createCommandHandler({
      store,
      codec,
      clock: systemClock,
      macKey: macKeyOf(config.auditKey),
      // Tests change stored events behind a cache; stream-cache.test.ts has the cache.
      cache: null,
    })
    const accounts = createAccounts({ commands, clock: systemClock, ids: randomIds, emailKeys })
    return { pool: requests, store, keys, codec, commands, accounts }
  }
}

const emailKeys = oneEmailKey(Buffer.from('cd'.repeat(32), 'hex'))
/** A domain of its own: mails to the addresses of one domain have a limit. */
const newEmail = () => `dana@c${randomBytes(6).toString('hex')}.example.com`

const contractProfile = profileFromForm(profile)

const signInBody = z.object({
  customer: z.string().optional(),
  addressHmac: z.string().optional(),
  admin: z.string().optional(),
})

/** Signs in without a code or a password. */
const signInArea: Routes = (route) =>
  route({
    method: 'post',
    path: '/api/test-sign-in',
    summary: 'Sign in',
    access: 'public',
    body: signInBody,
    answer: z.object({}),
    async handle({ body }, { customer, admin }) {
      if (body.customer !== undefined)
        await customer.signIn(body.customer, {
          addressHmac: parseAddressHmac(body.addressHmac ?? ''),
        })
      if (body.admin !== undefined) await admin.signIn(body.admin)
      return {}
    },
  })

const otherPages = ['api-docs.html', 'client-portal.html']
const page = '<!doctype html><title>A page</title><body><!--portal--></body>'

/** The built pages are not part of these tests. */
async function writePages(root: string): Promise<void> {
  for (const file of [shellFile, ...publicPaths.map(fileOfPage), ...otherPages]) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), page)
  }
}
