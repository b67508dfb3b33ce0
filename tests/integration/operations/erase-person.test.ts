import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { readModels } from '#projections/read-models'
import { summary } from '#projections/users/queries/summary'
import { parseUserId, type UserId } from '#contracts/ids'
import { createAccounts, type Accounts } from '#services/accounts/accounts'
import { profileDigest } from '#services/accounts/profile-digest'
import { addressHmac } from '#services/accounts/address-hmac'
import { erasePerson, type EraseParts } from '#services/accounts/erase-person'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { eraseAddress } from '#services/enquiries/erase-address'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { chain } from '#services/event-store/audit/hash-chain'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import {
  createPersonalKeys,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { enquiryOf } from '#services/foundation/stream-names'
import { createSlowHash } from '#services/foundation/slow-hash'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { Queryable, Statement } from '#services/foundation/queryable'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { paymentSucceeded, profile, subscriptionStarted } from '../../support/data/events.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import {
  createReadModelFixture,
  rowsOf,
  type ReadModelFixture,
} from '../../support/projections/read-model-fixture.ts'
import { appendNewer } from '../../support/event-store/append-newer.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { verifyStored } from '../../support/event-store/verify.ts'
import { submitEnquiry } from '../../support/data/submit-enquiry.ts'
import { oneEmailKey } from '../../support/data/one-email-key.ts'

const [masterKey, emailHmacKey] = [randomBytes(32), randomBytes(32)]
const email = 'dana@birchwooddental.example'
const now = new Date('2026-03-10T00:00:00.000Z')
let database: TestDatabase
let projected: ReadModelFixture
let store: EventStore
let keys: PersonalKeys
let codec: EventCodec
let commands: CommandHandler
let accounts: Accounts
let userId: UserId

beforeEach(async () => {
  database = await createTestDatabase()
  projected = await createReadModelFixture()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  keys = createPersonalKeys(database.pool, masterKey)
  codec = createCodec(keys)
  commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(emailHmacKey),
  })
  userId = await givenCustomer(email)
})
afterEach(async () => {
  await store.close()
  await database.drop()
  await projected.drop()
})

const context = (commandId: string = randomUUID()): CommandContext => ({
  commandId,
  correlationId: commandId,
  actor: { kind: 'system', id: 'operator' },
  source: 'system',
})

async function givenCustomer(address: string): Promise<UserId> {
  const { account } = await accounts.findOrOpen(address, context())
  await accounts.completeProfile(
    account.userId,
    profile,
    { isOwner: true, basedOn: null },
    context(),
  )
  await accounts.signIn(account.userId, address, profileDigest(profile), context())
  const subscription = `subscription_${account.userId}`
  const subscriptionRef = refOf(`${subscription}`)
  const terms = { subscriptionId: subscription, subscriptionRef }
  for (const { type, data } of [
    subscriptionStarted(account.userId, terms),
    paymentSucceeded(account.userId, {
      subscriptionId: subscription,
      paymentId: account.userId,
      customerName: 'Dana Whitlock',
      customerEmail: address,
      hostedInvoiceUrl: 'https://invoice.example/of-dana',
    }),
  ]) {
    const stream = `billing-${account.userId}`
    const [id, last] = [randomUUID(), (await store.readStream(stream)).at(-1)]
    const encoded = await codec.encode(stream, { id, type, data })
    const metadata = {
      ...context(),
      causationId: 'test',
      occurredAt: '2026-03-03T09:12:00.000Z',
      recordedAt: '2026-03-03T09:12:00.000Z',
      schemaVersion: 1,
    }
    await store.append(
      stream,
      last?.revision ?? 'no-stream',
      chain(stream, last, [{ id, type, data: encoded.data, metadata }], macKey),
    )
  }
  return account.userId
}

const parts = (): EraseParts => ({
  commands,
  keys,
  pool: database.pool,
  clock: systemClock,
  emailKeys: oneEmailKey(emailHmacKey),
  enquiries: createEnquiryErasure({ commands, keys, clock: systemClock }),
})
const erase = (over: Partial<EraseParts> = {}) =>
  erasePerson(userId, { ...parts(), ...over }, context(`erase ${userId}`))

/** The whole log, decrypted with the keys in the database and not with cached keys. */
async function readLog() {
  const reader = createCodec(createPersonalKeys(database.pool, masterKey))
  const pages = []
  for await (const page of store.readAll(null)) pages.push(await reader.decode(page))
  return pages.flat()
}

/** The rows of every read model after it has folded the events: read model, table, rows. */
async function rowsAfter(events: readonly RecordedEvent[]) {
  const rows: Record<string, Awaited<ReturnType<typeof rowsOf>>> = {}
  for (const model of readModels) {
    await projected.given(model, events)
    rows[model.name] = await rowsOf(projected.pool, model)
  }
  return rows
}

const eventsOf = async (stream: string) => (await store.readStream(stream)).map(({ type }) => type)
const emailStream = () => `email-${addressHmac(email, emailHmacKey)}`

describe('erasing a person', () => {
  it('leaves no personal data in the log and does not change the hash chains', async () => {
    const other = await givenCustomer('rosa@example.com')
    expect(await erase()).toBe('erased')
    const log = await readLog()
    const theirs = log.filter(({ stream }) => stream.endsWith(userId))
    expect(theirs.length).toBeGreaterThan(5)
    expect(JSON.stringify(theirs)).not.toMatch(/dana|Birchwood|Orchard|Duluth|\(218\)/i)
    expect(
      log.find(({ stream, type }) => stream === `account-${other}` && type === 'AccountOpened')
        ?.data,
    ).toMatchObject({ email: 'rosa@example.com' })
    expect(await eventsOf(`account-${userId}`)).toEqual([
      'AccountOpened',
      'CompanyProfileCompleted',
      'EmailVerified',
      'PersonalDataErased',
    ])
    expect(await eventsOf(`signIn-${userId}`)).toEqual(['SignedIn'])
    expect(await eventsOf(emailStream())).toEqual(['EmailClaimed', 'EmailReleased'])
    const { rows } = await database.pool.query(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [userId],
    )
    expect(rows).toEqual([{ wrapped_key: null }])
    const { problems } = await verifyStored(store, null)
    expect(problems).toEqual([])
  })

  it('removes the personal data from live and rebuilt read models, and changes no count and no total', async () => {
    const before = await readLog()
    const charges = (await rowsAfter(before))['purchases']?.['charge']
    const totals = await summary(projected.pool, now)
    expect(charges).toHaveLength(1)
    expect(totals).toMatchObject({ totalUsers: 1, usersByType: { paying: 1 } })
    expect(totals.totalRevenue).toBeGreaterThan(0)

    await erase()
    const erasedEvents = (await readLog()).slice(before.length)
    // Live: the rows were folded before the erasure, with readable fields. Rebuilt: the fields are
    // not readable.
    const live = [...before, ...erasedEvents]
    const rebuilt = await readLog()
    const rows: unknown[] = []
    for (const events of [live, rebuilt]) {
      const found = await rowsAfter(events)
      expect(JSON.stringify(found)).not.toMatch(/dana|Birchwood|Orchard|Duluth|\(218\)/i)
      expect(JSON.stringify(found)).toContain('[erased]')
      expect(await summary(projected.pool, now)).toEqual(totals)
      expect(found['purchases']?.['charge']).toEqual(charges)
      rows.push(found)
    }
    expect(rows[1]).toEqual(rows[0])
  })

  it('ends the sessions and the sign-in codes of the person, and of no other person', async () => {
    const codes = createSignInCodeStore(database.pool, systemClock, createSlowHash())
    await codes.issue(userId, accounts.hmacOf(email), 'browser', {
      browser: 'browser',
      network: '192.0.2.1',
    })
    const session = `INSERT INTO app.customer_session (sid, sess, expire) VALUES ($1, $2, now() + interval '1 day')`
    await database.pool.query(session, ['theirs', { subject: userId }])
    await database.pool.query(session, ['of another person', { subject: 'usr_other' }])
    await erase()
    expect((await database.pool.query('SELECT sid FROM app.customer_session')).rows).toEqual([
      { sid: 'of another person' },
    ])
    expect((await database.pool.query('SELECT 1 FROM app.sign_in_code')).rows).toEqual([])
  })

  it('closes the account permanently, and a new account can use the address', async () => {
    await erase()
    expect(await accounts.find(userId)).toBeNull()
    expect(await accounts.ownerOf(email)).toBeNull()
    expect(await accounts.signIn(userId, email, null, context())).toBeNull()
    const { account } = await accounts.findOrOpen(email, context())
    expect(account).toMatchObject({ email, isVerified: false, profile: null })
    expect(account.userId).not.toBe(userId)
    expect(await erase()).toBe('erased-before')
    expect(await accounts.ownerOf(email)).toBe(account.userId)
  })

  it('releases and erases the secondary address, and one that was not released before', async () => {
    const [second, former] = ['accounts.dana@example.com', 'former.dana@example.com']
    await accounts.setSecondaryEmail(userId, former, context())
    const crashing: CommandHandler = {
      ...commands,
      handle: (request) =>
        request.stream.startsWith('email-') && request.context.commandId.includes('release')
          ? Promise.reject(new Error('the process was killed'))
          : commands.handle(request),
    }
    const killed = createAccounts({
      commands: crashing,
      clock: systemClock,
      ids: randomIds,
      emailKeys: oneEmailKey(emailHmacKey),
    })
    await expect(killed.setSecondaryEmail(userId, second, context())).rejects.toThrow('killed')
    expect(await accounts.ownerOf(former)).toBe(userId)
    expect(await accounts.ownerOf(second)).toBe(userId)
    const before = await readLog()

    await erase()
    for (const address of [email, second, former])
      expect(await accounts.ownerOf(address)).toBeNull()
    const erasedEvents = (await readLog()).slice(before.length)
    for (const events of [[...before, ...erasedEvents], await readLog()]) {
      const rows = await rowsAfter(events)
      expect(JSON.stringify(rows['users'])).toContain(String.raw`\"secondary_email\": null`)
      expect(JSON.stringify(rows)).not.toMatch(/dana/i)
    }
  })

  it('changes nothing the second time, and reports an unknown user', async () => {
    await erase()
    const count = (await readLog()).length
    expect(await erase()).toBe('erased-before')
    expect((await readLog()).length).toBe(count)
    expect(await erasePerson(parseUserId('usr_nobody'), parts(), context())).toBe('no-account')
    expect(
      (await database.pool.query(`SELECT 1 FROM app.personal_key WHERE subject = 'usr_nobody'`))
        .rows,
    ).toEqual([])
  })

  it.each([1, 2, 3, 4, 5])(
    'is completed by the next run if it is interrupted before step %i',
    async (step) => {
      await createSignInCodeStore(database.pool, systemClock, createSlowHash()).issue(
        userId,
        accounts.hmacOf(email),
        'browser',
        { browser: 'browser', network: '192.0.2.1' },
      )
      let done = 0
      const pool: Queryable = database.pool
      const breaking =
        <Arguments extends unknown[], Answer>(work: (...given: Arguments) => Promise<Answer>) =>
        (...given: Arguments) => {
          done += 1
          return done === step
            ? Promise.reject(new Error('the process was killed'))
            : work(...given)
        }
      const broken = erase({
        commands: {
          ...commands,
          handle: breaking(commands.handle.bind(commands)) as CommandHandler['handle'],
        },
        pool: {
          query: breaking((statement: string | Statement, values?: unknown[]) =>
            pool.query(statement, values),
          ),
        },
        keys: { ...keys, erase: breaking((subject: string) => keys.erase(subject)) },
      })
      await expect(broken).rejects.toThrow('the process was killed')
      expect(await erase()).toBe('erased')
      expect(await eventsOf(`account-${userId}`)).toContain('PersonalDataErased')
      expect(await eventsOf(emailStream())).toEqual(['EmailClaimed', 'EmailReleased'])
      expect((await database.pool.query('SELECT 1 FROM app.sign_in_code')).rows).toEqual([])
      expect(JSON.stringify(await readLog())).not.toMatch(/dana|Birchwood/i)
      expect(await erase()).toBe('erased-before')
    },
  )

  it('lets the person sign up again, also after an interruption before the release of the address', async () => {
    const killed = {
      ...commands,
      handle: ((request) =>
        request.stream === emailStream()
          ? Promise.reject(new Error('killed'))
          : commands.handle(request)) as CommandHandler['handle'],
    }
    await expect(erase({ commands: killed })).rejects.toThrow('killed')
    const { account } = await accounts.findOrOpen(email, context())
    expect(account.userId).not.toBe(userId)
    expect(await erase()).toBe('erased')
    expect(await accounts.ownerOf(email)).toBe(account.userId)
    expect(
      (await readLog()).find(
        ({ stream, type }) => stream === `account-${account.userId}` && type === 'AccountOpened',
      )?.data,
    ).toMatchObject({ email })
  })

  it('keeps the personal key if EMAIL_HMAC_KEY is wrong, because the address cannot be released', async () => {
    await expect(erase({ emailKeys: oneEmailKey(randomBytes(32)) })).rejects.toThrow(
      'another EMAIL_HMAC_KEY',
    )
    expect(await accounts.ownerOf(email)).toBe(userId)
    expect(await erase()).toBe('erased')
    expect(await accounts.ownerOf(email)).toBeNull()
  })

  it('stays in effect if a caller repeats the command that opened the account', async () => {
    const first = context()
    const address = 'ivo@example.com'
    const { account } = await accounts.findOrOpen(address, first)
    await erasePerson(account.userId, parts(), context())
    const again = await accounts.findOrOpen(address, first)
    expect(again.account.userId).not.toBe(account.userId)
  })

  it('changes nothing if an enquiry of the person has an event of a newer release', async () => {
    await appendNewer(store, await submitEnquiry(parts(), email))
    for (let run = 0; run < 2; run += 1)
      await expect(erase()).rejects.toThrow(
        /^Nothing was erased\. Event .* run release 99\.1\.0 or a newer one\.$/,
      )
    expect(await eventsOf(`account-${userId}`)).not.toContain('PersonalDataErased')
    expect((await database.pool.query('SELECT 1 FROM app.farewell')).rows).toEqual([])
    expect(await accounts.ownerOf(email)).toBe(userId)
  })

  it('changes nothing if an event of the claim of a former address is damaged', async () => {
    const former = 'former.dana@example.com'
    await accounts.setSecondaryEmail(userId, former, context())
    await accounts.removeSecondaryEmail(userId, context())
    const restore = await breakEvent(
      { pool: database.pool, store },
      `email-${addressHmac(former, emailHmacKey)}`,
      0,
    )
    await expect(erase()).rejects.toThrow(/^Nothing was erased\. Event .* cannot be read/)
    expect(await eventsOf(`account-${userId}`)).not.toContain('PersonalDataErased')
    await restore()
    expect(await erase()).toBe('erased')
  })

  it('ignores an event of a newer release in a stream that it does not read', async () => {
    const other = await givenCustomer('rosa@example.com')
    await accounts.setSecondaryEmail(userId, 'second@example.com', context())
    await accounts.signIn(userId, 'second@example.com', null, context())
    await accounts.removeSecondaryEmail(userId, context())
    await accounts.findOrOpen('second@example.com', context())
    await appendNewer(store, await submitEnquiry(parts(), 'second@example.com'))
    await appendNewer(store, `billing-${other}`)
    expect(await erase()).toBe('erased')
  })
})

describe('erasing a visitor', () => {
  it('erases no enquiry if one of them has an event of a newer release', async () => {
    const address = 'visitor@example.com'
    for (let sent = 0; sent < 2; sent += 1) await submitEnquiry(parts(), address)
    const hmac = addressHmac(address, emailHmacKey)
    const subjects = await keys.enquiriesWith([hmac])
    const [first = '', last = ''] = subjects.map((subject) => `enquiry-${enquiryOf(subject)}`)
    await appendNewer(store, last)
    await expect(eraseAddress(address, parts(), context('erase address'))).rejects.toThrow(
      /^Nothing was erased\. Event .* run release 99\.1\.0 or a newer one\.$/,
    )
    expect(await eventsOf(first)).toEqual(['EnquirySubmitted'])
    expect((await keys.forReading(new Set(subjects))).size).toBe(2)
  })
})
