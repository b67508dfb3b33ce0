import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { addressHmac } from '#services/accounts/address-hmac'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { release } from '#services/foundation/release'
import { StartupError } from '#services/foundation/startup-error'
import { emailKeyInUse } from '#services/keys/email-key-in-use'
import { someEvent } from '../../support/data/some-event.ts'
import { testContext } from '../../support/data/test-context.ts'
import { crashingStore } from '../../support/event-store/crashing-store.ts'
import { crashingPool, Killed } from '../../support/postgres/crashing-pool.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import {
  createEmailKeyWorld,
  type EmailKeyProcess,
  type EmailKeyWorld,
} from '../../support/product/email-key-world.ts'
import { until } from '../../support/machine/until.ts'

const [former, latter] = [randomBytes(32), randomBytes(32)] as const

let database: TestDatabase
let store: EventStore
let world: EmailKeyWorld
let running: EmailKeyProcess[]
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})
beforeEach(async () => {
  world = createEmailKeyWorld(database, store)
  running = []
  await tamper(
    database.pool,
    `TRUNCATE log.event, app.personal_key, app.key_fingerprint, app.email_key_change, app.enquiry_address,
       app.customer_session, app.sign_in_code`,
  )
  await world.assertStart(former)
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.close()))
})

async function start(...given: Parameters<EmailKeyWorld['start']>): Promise<EmailKeyProcess> {
  const process = await world.start(...given)
  running.push(process)
  return process
}

async function stop(process: EmailKeyProcess): Promise<void> {
  running = running.filter((each) => each !== process)
  await process.close()
}

let count = 0
const address = () => `dana${(count += 1)}@rotation.example`

/** An account with a primary, a secondary and a released address. */
async function givenAccount(process: EmailKeyProcess) {
  const [primary, secondary, released] = [address(), address(), address()]
  const userId = await process.enter(primary)
  for (const email of [released, secondary])
    expect(await process.accounts.setSecondaryEmail(userId, email, testContext())).toMatchObject({
      kind: 'set',
    })
  return { userId, primary, secondary, released }
}

/** Every address signs in to its account, and no further account is opened. */
async function expectSignIns(
  process: EmailKeyProcess,
  owners: ReadonlyMap<string, UserId>,
): Promise<void> {
  for (const [email, userId] of owners) {
    expect([email, await process.accounts.ownerOf(email)]).toEqual([email, userId])
    expect([email, await process.enter(email)]).toEqual([email, userId])
  }
}

const rows = async () => [
  await emailKeyInUse(database.pool),
  (await database.pool.query('SELECT * FROM app.email_key_change')).rows as unknown,
  await store.lastPosition(),
]

describe('a rotation of EMAIL_HMAC_KEY', () => {
  it('moves every claim, so that the former key is not needed', async () => {
    const before = await start(former)
    const accounts = [await givenAccount(before), await givenAccount(before)]
    const gone = await givenAccount(before)
    await before.erase(gone.userId)
    await stop(before)
    expect(await world.rotate(latter, former)).toEqual({
      kind: 'rotated',
      addresses: 4,
      enquiries: 0,
    })
    await expect(world.assertStart(former)).rejects.toThrow(/^EMAIL_HMAC_KEY differs/)
    const after = await start(latter)
    for (const { userId, primary, secondary, released } of accounts) {
      await expectSignIns(
        after,
        new Map([
          [primary, userId],
          [secondary, userId],
        ]),
      )
      expect(await after.accounts.ownerOf(released)).toBeNull()
      // The numbers of its claims continue above those that the account has used.
      expect(await after.accounts.setSecondaryEmail(userId, released, testContext())).toMatchObject(
        { kind: 'set', removed: secondary },
      )
      expect(
        await after.accounts.setSecondaryEmail(userId, secondary, testContext()),
      ).toMatchObject({ kind: 'set', removed: released })
    }
    expect(await after.enter(gone.primary)).not.toBe(gone.userId)
    expect(await world.rotate(latter, former)).toMatchObject({ kind: 'current' })
    await world.assertLog(latter, former)
  })

  it('keeps sessions, sign-in codes and enquiries with their addresses', async () => {
    const before = await start(former)
    const { userId, primary, secondary } = await givenAccount(before)
    const visitor = address()
    const [first, second] = [`a${count}`, `b${count}`]
    await before.enquire(first, visitor)
    const hmac = addressHmac(secondary, former)
    await database.pool.query(
      `INSERT INTO app.customer_session VALUES ('s', json_build_object('subject', $1::text, 'addressHmac', $2::text), now())`,
      [userId, hmac],
    )
    await database.pool.query(
      `INSERT INTO app.sign_in_code (user_id, address_hmac, salt, code_hash, sent_at, expires_at, requested_by, was_marked, requested_from, turn, tries, other_tries, issued_by)
       VALUES ($1, $2, '\\x00', '\\x00', now(), now(), 'b', true, '\\x00', 1, 0, 0, 'p')`,
      [userId, addressHmac(primary, former)],
    )
    await stop(before)
    expect(await world.rotate(latter, former)).toMatchObject({ addresses: 2, enquiries: 1 })
    const { rows: found } = await database.pool.query(
      `SELECT sess->>'addressHmac' AS session, address_hmac AS code FROM app.customer_session, app.sign_in_code`,
    )
    expect(found).toEqual([
      { session: addressHmac(secondary, latter), code: addressHmac(primary, latter) },
    ])
    const after = await start(latter)
    await after.enquire(second, visitor)
    const enquiries = await after.enquiriesOf(visitor)
    expect(enquiries.map(({ stream }) => stream).sort()).toEqual([
      `enquiry-enquiry_${first}`,
      `enquiry-enquiry_${second}`,
    ])
    expect(enquiries.every(({ data }) => 'email' in data && data.email === visitor)).toBe(true)
  })

  it('moves all other claims if events of some persons cannot be read, and can end after a correction', async () => {
    const before = await start(former)
    const accounts = [await givenAccount(before), await givenAccount(before)]
    const visitors = [`e${count}`, `f${count}`]
    const asking = [address(), address()]
    for (const [index, name] of visitors.entries()) await before.enquire(name, asking[index] ?? '')
    await stop(before)
    const damagedStreams = [`account-${accounts[0]?.userId}`, `enquiry-enquiry_${visitors[0]}`]
    const setType = (type: string) =>
      tamper(
        database.pool,
        `UPDATE log.event SET type = ${type} WHERE revision = 0 AND stream = ANY ($1)`,
        [damagedStreams],
      )
    await setType("'Not' || type")
    const outcome: unknown = await world.rotate(latter, former).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(StartupError)
    expect(outcome).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          '^EMAIL_HMAC_KEY is in use, and this run moved 2 addresses and 1 enquiry to it, but events of 2 persons or enquiries cannot be read: ' +
            `(${accounts[0]?.userId}, enquiry_${visitors[0]}|enquiry_${visitors[0]}, ${accounts[0]?.userId})\\. ` +
            "Run 'billing events verify', correct the events that it names, and run the command again\\. Keep EMAIL_HMAC_KEY_PREVIOUS until then\\.$",
        ),
      ),
    })
    // Processes with both keys serve.
    const both = await start(latter, former)
    const [, other] = accounts
    if (other === undefined) throw new Error('there is no second account')
    await expectSignIns(both, new Map([[other.primary, other.userId]]))
    await stop(both)

    await setType('substr(type, 4)')
    expect(await world.rotate(latter, former)).toMatchObject({ kind: 'rotated', addresses: 2 })
    const after = await start(latter)
    await expectSignIns(after, new Map(accounts.map(({ primary, userId }) => [primary, userId])))
    expect((await after.enquiriesOf(asking[0] ?? '')).length).toBe(1)
  })

  it('is refused before its first change if a newer release wrote an event that it reads', async () => {
    const before = await start(former)
    const { userId, primary } = await givenAccount(before)
    await stop(before)
    const { metadata } = someEvent()
    const appendNewer = (stream: string, after: 'no-stream' | number) =>
      store.append(stream, after, [
        { ...someEvent(), type: 'NoteAdded', metadata: { ...metadata, release: '99.1.0' } },
      ])
    const removeNewer = () =>
      tamper(database.pool, "DELETE FROM log.event WHERE type = 'NoteAdded'")
    const account = await store.readLast(`account-${userId}`)
    await appendNewer(`account-${userId}`, account?.revision ?? 'no-stream')
    const emailKeys = await emailKeyInUse(database.pool)
    const outcome: unknown = await world.rotate(latter, former).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(StartupError)
    expect(outcome).toMatchObject({
      message: `The change of EMAIL_HMAC_KEY reads revision ${(account?.revision ?? 0) + 1} of account-${userId} (NoteAdded), which release ${release} does not know: run the command with release 99.1.0 or a newer one. Nothing was changed.`,
    })
    expect(await emailKeyInUse(database.pool)).toEqual(emailKeys)

    // Streams that the change does not read may have such events.
    await removeNewer()
    await appendNewer(`billing-${userId}`, 'no-stream')
    expect(await world.rotate(latter, former)).toMatchObject({ kind: 'rotated' })
    await expectSignIns(await start(latter), new Map([[primary, userId]]))
    await removeNewer()
  })

  it('can follow another one, and refuses a key that was in use before', async () => {
    const before = await start(former)
    const { userId, primary } = await givenAccount(before)
    await before.enquire(`c${count}`, primary)
    await stop(before)
    const third = randomBytes(32)
    await world.rotate(latter, former)
    expect(await world.rotate(third, latter)).toMatchObject({ addresses: 2, enquiries: 1 })
    const after = await start(third)
    await expectSignIns(after, new Map([[primary, userId]]))
    expect(await after.enquiriesOf(primary)).toHaveLength(1)
    await stop(after)
    const held = await rows()
    await expect(world.rotate(former, third)).rejects.toThrow(
      `The EMAIL_HMAC_KEY of fingerprint ${keyFingerprint(former)} was in use before and cannot be used again.`,
    )
    expect(await rows()).toEqual(held)
  })

  it.each([
    ['statement', (n: number) => ({ pool: crashingPool(database.pool, n) })],
    ['append, before it', (n: number) => ({ on: crashingStore(store, n, 'before') })],
    ['append, after it', (n: number) => ({ on: crashingStore(store, n, 'after') })],
  ] as const)(
    'that is killed at any %s locks no customer out, and the next run completes it',
    async (_, kill) => {
      let from: Buffer = former
      const before = await start(from)
      const { userId, ...emails } = await givenAccount(before)
      const stranger = address()
      const owners = new Map<string, UserId>([
        [emails.primary, userId],
        [emails.secondary, userId],
        [stranger, await before.enter(stranger)],
      ])
      await before.enquire(`d${count}`, stranger)
      await stop(before)
      const used = [from]
      let kills = 0
      for (let isEnded = false; !isEnded;) {
        const to: Buffer = randomBytes(32)
        used.unshift(to)
        const outcome = await world
          .rotate(to, from, kill(kills + 1))
          .catch((error: unknown) => error)
        isEnded = !(outcome instanceof Killed)
        if (isEnded) expect(outcome).toMatchObject({ kind: 'rotated' })
        else kills += 1
        // Processes with both keys serve after the kill, and beside one another.
        const [one, two] = [await start(to, from), await start(from, to)]
        await expectSignIns(one, owners)
        await expectSignIns(two, owners)
        const fresh = address()
        const [entered, again] = await Promise.all([one.enter(fresh), two.enter(fresh)])
        expect(entered).toBe(again)
        await one.erase(entered)
        expect(await two.accounts.ownerOf(fresh)).toBeNull()
        if (!isEnded) await world.rotate(to, from)
        await Promise.all([stop(one), stop(two)])
        const after = await start(to)
        await expectSignIns(after, owners)
        expect(await after.enquiriesOf(stranger)).toHaveLength(1)
        await stop(after)
        from = to
      }
      await world.assertLog(...used)
      // A run has 17 statements or more of its own, and 9 appends.
      expect(kills).toBeGreaterThan(5)
    },
    120_000,
  )
})

describe('processes beside a rotation of EMAIL_HMAC_KEY', () => {
  it('agree before it: the former key names the addresses', async () => {
    const [old, fresh] = [await start(former), await start(latter, former)]
    const email = address()
    const [one, two] = await Promise.all([old.enter(email), fresh.enter(email)])
    expect(one).toBe(two)
    const held = await rows()
    await expect(world.rotate(latter, former)).rejects.toThrow(
      `1 of 2 running processes does not have the new EMAIL_HMAC_KEY of fingerprint ${keyFingerprint(latter)}. Restart every process with both keys, in EMAIL_HMAC_KEY and EMAIL_HMAC_KEY_PREVIOUS, then run the command again. Nothing was changed.`,
    )
    expect(await rows()).toEqual(held)
    await expect(world.assertStart(latter)).rejects.toThrow(/^EMAIL_HMAC_KEY differs/)
  })

  it('agree after it, also a process that has both keys and one that has the new one', async () => {
    const both = await start(latter, former)
    const email = address()
    const owners = new Map([[email, await both.enter(email)]])
    await world.rotate(latter, former)
    const fresh = await start(latter)
    await expectSignIns(fresh, owners)
    await expectSignIns(both, owners)
    const late = address()
    const [one, two] = await Promise.all([both.enter(late), fresh.enter(late)])
    expect(one).toBe(two)
  })

  it('end their sign-ups under the former key before it looks for addresses', async () => {
    const both = await start(latter, former)
    const email = address()
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const waits: number[] = []
    // A sign-up that began before the rotation, and opens its account late.
    const slow = both.emailKeys.hold(async () => {
      await gate
      return both.enter(email)
    })
    const rotating = world.rotate(latter, former, { onWait: (users) => waits.push(users) })
    await until(() => waits.length > 2, 'the rotation does not wait')
    expect(waits.every((users) => users === 1)).toBe(true)
    expect((await emailKeyInUse(database.pool))?.former).toBe(keyFingerprint(former))
    await expect(world.assertStart(latter)).rejects.toThrow(
      /^A rotation of EMAIL_HMAC_KEY has not ended/,
    )
    go()
    const userId = await slow
    await rotating
    const fresh = await start(latter)
    await expectSignIns(fresh, new Map([[email, userId]]))
  })

  it('that do not see it yet find the ended streams, and use those of the new key', async () => {
    const lagging = await start(latter, former, { everyMs: 600_000 })
    const [known, fresh] = [address(), address()]
    const userId = await lagging.enter(known)
    const stopped = new AbortController()
    const rotating = world
      .rotate(latter, former, { onWait: () => stopped.abort(), signal: stopped.signal })
      .catch((error: unknown) => error)
    expect(await rotating).toMatchObject({ name: 'AbortError' })
    const seeing = await start(latter, former)
    await expectSignIns(seeing, new Map([[known, userId]]))
    const entered = await seeing.enter(fresh)
    expect(lagging.emailKeys.state().kind).toBe('settled')
    await expectSignIns(
      lagging,
      new Map([
        [known, userId],
        [fresh, entered],
      ]),
    )
    expect(lagging.emailKeys.state().kind).toBe('changing')
    await world.assertLog(latter, former)
  })

  it('that have only the former key stop serving sign-ups when it has begun', async () => {
    const old = await start(former, null, { everyMs: 600_000 })
    await database.pool.query(
      `INSERT INTO app.email_key_change (former) SELECT fingerprint FROM app.key_fingerprint WHERE name = 'EMAIL_HMAC_KEY'`,
    )
    await database.pool.query(
      `UPDATE app.key_fingerprint SET fingerprint = $1 WHERE name = 'EMAIL_HMAC_KEY'`,
      [keyFingerprint(latter)],
    )
    await old.emailKeys.refresh()
    await expect(old.enter(address())).rejects.toThrow(
      'EMAIL_HMAC_KEY was changed in this database, and this process does not have both keys of the change. Set EMAIL_HMAC_KEY to the new key and EMAIL_HMAC_KEY_PREVIOUS to the former one, and restart the process.',
    )
    expect(await world.rotate(latter, former)).toMatchObject({ kind: 'rotated' })
  })
})

describe('a wrong or lost EMAIL_HMAC_KEY', () => {
  it.each([
    ['before a rotation', null],
    ['half way through a rotation', 3],
  ])(
    '%s stops the rotation and the start with one sentence, and changes nothing',
    async (_, append) => {
      const before = await start(former)
      await givenAccount(before)
      await stop(before)
      if (append !== null)
        await expect(
          world.rotate(latter, former, { on: crashingStore(store, append, 'before') }),
        ).rejects.toThrow(Killed)
      const held = await rows()
      for (const [to, from] of [
        [latter, randomBytes(32)],
        [latter, null],
        [randomBytes(32), latter],
        [randomBytes(32), null],
      ] as const) {
        const refused = world.rotate(to, from)
        await expect(refused).rejects.toThrow(StartupError)
        await expect(refused).rejects.toThrow(
          /and EMAIL_HMAC_KEY has fingerprint [0-9a-f]{16} and EMAIL_HMAC_KEY_PREVIOUS (is not set|has fingerprint [0-9a-f]{16})\. Set [^.]*\. Nothing was changed\.$/,
        )
        await expect(world.assertStart(to, from)).rejects.toThrow(StartupError)
      }
      expect(await rows()).toEqual(held)
    },
  )

  it('half way through a rotation is named if both keys are right and exchanged', async () => {
    const before = await start(former)
    await givenAccount(before)
    await stop(before)
    await expect(
      world.rotate(latter, former, { on: crashingStore(store, 3, 'before') }),
    ).rejects.toThrow(Killed)
    await expect(world.rotate(former, latter)).rejects.toThrow(
      `EMAIL_HMAC_KEY has fingerprint ${keyFingerprint(former)} and EMAIL_HMAC_KEY_PREVIOUS has fingerprint ${keyFingerprint(latter)}. Exchange the two values. Nothing was changed.`,
    )
  })
})
