import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import pino from 'pino'
import { readModelReady } from '#projections/engine/operate/status'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { receivables as receivablesModel } from '#projections/receivables/read-model'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import {
  cleanErased,
  startCleaningErased,
  uncleanedErasures,
} from '#services/accounts/clean-erased'
import { erasePerson } from '#services/accounts/erase-person'
import { forgetFarewell } from '#services/accounts/farewell'
import { profileDigest } from '#services/accounts/profile-digest'
import { rewriteTables } from '#services/postgres/rewrite-tables'
import { cleaningParts, tablesOfPersons } from '#services/read-side/personal-tables'
import { sleep } from '#services/foundation/sleep'
import { clientSubject } from '#services/foundation/stream-names'
import { createLogos } from '#services/receivables/brand/logos'
import { createClientErasure } from '#services/receivables/erase-clients'
import { createReceivablesSide } from '#services/start/create-receivables-side'
import { chain } from '#services/event-store/audit/hash-chain'
import type { BillingEvent } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { paymentSucceeded, profile, subscriptionStarted } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { submitEnquiry } from '../../support/data/submit-enquiry.ts'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { tablesWithText } from '../../support/postgres/tables-with-text.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { until } from '../../support/machine/until.ts'

/*
 * What the files of PostgreSQL have of an erased person. The texts are searched in the files of the
 * database, as they are on the disk after a checkpoint.
 */

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
  for (const model of readModels)
    await until(() => readModelReady(side.pool, model), 'a read model is not built')
}, 60_000)
afterAll(() => side?.close())

/** The names of the database's files that contain one of `texts`, with the table of each. */
async function filesWith(texts: readonly (string | Buffer)[]): Promise<readonly string[]> {
  await side.pool.query('CHECKPOINT')
  const { rows } = await side.pool.query<{ directory: string; names: Record<string, string> }>(
    `SELECT current_setting('data_directory') || '/base/' || d.oid AS directory,
       (SELECT json_object_agg(pg_relation_filenode(c.oid), c.relname) FROM pg_class c
        WHERE pg_relation_filenode(c.oid) IS NOT NULL) AS names
     FROM pg_database d WHERE datname = current_database()`,
  )
  const { directory = '', names = {} } = rows[0] ?? {}
  const found: string[] = []
  for (const file of await readdir(directory)) {
    const content = await readFile(join(directory, file)).catch(() => Buffer.alloc(0))
    if (texts.some((text) => content.includes(text)))
      found.push(names[file.replace(/[._].*$/, '')] ?? file)
  }
  return found.sort()
}

/** Random, so that it is not compressed, and too long for a row: it is stored in TOAST. */
const longText = () => randomBytes(4_500).toString('base64')

/** A customer with a profile, a plan, a payment, a session, a code and a long enquiry. */
async function givenCustomer(name: string) {
  const email = `${name}@example.com`
  const words = {
    ...profile,
    fullName: `${name} Whitlock`,
    companyName: `Company ${name}`,
    address: `Street ${name}`,
    supportEmail: `support.${name}@example.com`,
  }
  const { account } = await side.accounts.findOrOpen(email, testContext())
  const { userId } = account
  const owner = { isOwner: true, basedOn: null }
  await side.accounts.completeProfile(userId, words, owner, testContext())
  await side.accounts.signIn(userId, email, profileDigest(words), testContext())
  await submitEnquiry(side.erasing, email, undefined, `${longText()} ${name} ${longText()}`)
  await append(`billing-${userId}`, [
    subscriptionStarted(userId, {
      subscriptionId: `sub_${userId}`,
      subscriptionRef: refOf(`sub_${userId}`),
    }),
    paymentSucceeded(userId, {
      subscriptionId: `sub_${userId}`,
      paymentId: `in_${userId}`,
      customerName: words.fullName,
      customerEmail: email,
    }),
  ])
  const wrapped = await wrappedKey(userId)
  return { userId, email, name, wrapped }
}

async function append(stream: string, events: readonly BillingEvent[]): Promise<void> {
  for (const event of events) {
    const [id, last] = [randomUUID(), (await side.store.readStream(stream)).at(-1)]
    const encoded = await side.codec.encode(stream, { ...event, id })
    const metadata = {
      ...testContext(),
      causationId: 'test',
      occurredAt: '2026-03-03T09:12:00.000Z',
      recordedAt: '2026-03-03T09:12:00.000Z',
      schemaVersion: 1,
    }
    await side.store.append(
      stream,
      last?.revision ?? 'no-stream',
      chain(stream, last, [{ id, type: event.type, data: encoded.data, metadata }], macKey),
    )
  }
}

async function wrappedKey(subject: string): Promise<Buffer> {
  const { rows } = await side.pool.query<{ key: Buffer }>(
    'SELECT wrapped_key AS key FROM app.personal_key WHERE subject = $1',
    [subject],
  )
  return rows[0]?.key ?? Buffer.alloc(0)
}

async function untilFolded(): Promise<void> {
  const position = await side.store.lastPosition()
  const { comparePositions } = side.store
  expect(
    await waitUntilProjected(side.pool, readModels, position ?? '', 20_000, comparePositions),
  ).toBe(true)
}

const parts = (over: { largestBytes?: number } = {}) =>
  cleaningParts({
    ...side.erasing,
    connectionString: side.connectionString,
    store: side.store,
    log: pino({ level: 'silent' }),
    largestBytes: Infinity,
    ...over,
  })
const clean = (over = {}) => cleanErased(parts(over), new AbortController().signal)

async function erase(userId: UserId): Promise<void> {
  await erasePerson(userId, side.erasing, testContext())
  // The last mail has its outcome.
  await forgetFarewell(side.erasing, userId)
  await untilFolded()
}

describe('the files of the database after an erasure', () => {
  it('have nothing of the person, neither texts nor the key, after the cleaning', async () => {
    const name = `dana${randomBytes(6).toString('hex')}`
    const { userId, wrapped } = await givenCustomer(name)
    await untilFolded()
    const others = await Promise.all(
      Array.from({ length: 6 }, () =>
        side.accounts.findOrOpen(`${randomUUID()}@example.com`, testContext()),
      ),
    )
    expect(others).toHaveLength(6)
    await untilFolded()
    // Statistics have values of columns, as autovacuum takes them.
    for (const table of tablesOfPersons) await side.pool.query(`ANALYZE ${table}`)

    const texts = [name]
    const live = await tablesWithText(side.pool, texts)
    expect(live.length).toBeGreaterThan(5)
    for (const table of live) expect(tablesOfPersons).toContain(table)
    const before = await filesWith(texts)
    for (const file of ['users', 'customer', 'parties', 'enquiries', 'pg_statistic'])
      expect(before).toContain(file)
    expect(before.some((file) => file.startsWith('pg_toast'))).toBe(true)
    expect(await filesWith([wrapped])).toContain('personal_key')

    await erase(userId)
    expect(await tablesWithText(side.pool, texts)).toEqual([])
    expect(await filesWith(texts)).not.toEqual([])
    expect(await filesWith([wrapped])).not.toEqual([])
    expect((await uncleanedErasures(side.pool)).count).toBeGreaterThan(1)

    expect(await clean()).toMatchObject({ kind: 'cleaned', tooLarge: [], refused: [] })
    expect(await filesWith([...texts, wrapped])).toEqual([])
    expect(await uncleanedErasures(side.pool)).toEqual({ count: 0, ageSeconds: 0 })
    expect(await clean()).toEqual({ kind: 'nothing' })
  }, 60_000)

  it('have nothing of an erased client of a merchant', async () => {
    const name = `harlow${randomBytes(6).toString('hex')}`
    const { userId } = await givenCustomer(`kept${name.slice(6)}`)
    const { commands, keys, clock } = side.erasing
    const receivables = createReceivablesSide({ commands, keys, clock })
    const { clientId } = await receivables.addClient(
      userId,
      { ...samplePayloads.ClientAdded.details, name: `${name} Ltd`, email: `${name}@example.com` },
      testContext(),
    )
    const { receivableId } = await receivables.addReceivable(
      userId,
      {
        clientId,
        number: 'H-7',
        currency: 'usd',
        details: { ...samplePayloads.ReceivableAdded.details, reference: `Order of ${name}` },
      },
      testContext(),
    )
    const dispute = {
      type: 'dispute-receivable',
      text: `${name} paid`,
      madeBy: 'merchant',
    } as const
    await receivables.actOnReceivable(userId, receivableId, dispute, testContext())
    await untilFolded()
    expect(await tablesWithText(side.pool, [name])).toEqual([
      `${schemaOf(receivablesModel)}.client`,
      `${schemaOf(receivablesModel)}.receivable`,
    ])
    for (const table of tablesOfPersons) await side.pool.query(`ANALYZE ${table}`)
    const wrapped = await wrappedKey(clientSubject(userId, clientId))
    const { eraseClient } = createClientErasure({
      receivables,
      commands,
      keys,
      logos: createLogos(side.pool),
      clock,
    })
    await eraseClient(userId, clientId, testContext())
    await untilFolded()
    expect(await tablesWithText(side.pool, [name])).toEqual([])
    expect(await filesWith([name])).not.toEqual([])
    expect(await clean()).toMatchObject({ kind: 'cleaned', tooLarge: [], refused: [] })
    expect(await filesWith([name, wrapped])).toEqual([])
  }, 60_000)

  it('are rewritten only after the end of a transaction that could read the old rows', async () => {
    const name = `rosa${randomBytes(6).toString('hex')}`
    const { userId } = await givenCustomer(name)
    await untilFolded()
    const reader = new pg.Client({
      connectionString: side.connectionString,
      application_name: 'a long report',
    })
    await reader.connect()
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT 1 FROM log.event LIMIT 1')
    await erase(userId)
    const { rewrite, ...rest } = parts()
    expect(rewrite).toBeDefined()
    await expect(
      cleanErased(
        {
          ...rest,
          rewrite: (signal) =>
            rewriteTables({
              connectionString: side.connectionString,
              tables: tablesOfPersons,
              largestBytes: Infinity,
              longestWaitMs: 300,
              signal,
            }),
        },
        new AbortController().signal,
      ),
    ).rejects.toThrow(/can still be read by a long report \(pid \d+, since .*\)\. End it/)
    expect((await uncleanedErasures(side.pool)).count).toBeGreaterThan(0)
    await reader.query('ROLLBACK')
    await reader.end()
    expect(await clean()).toMatchObject({ kind: 'cleaned' })
    expect(await filesWith([name])).toEqual([])
  }, 60_000)

  it('stay due while a table is too large to be rewritten beside customers', async () => {
    const name = `ivo${randomBytes(6).toString('hex')}`
    const { userId } = await givenCustomer(name)
    await untilFolded()
    await erase(userId)
    const cleaned = await clean({ largestBytes: 0 })
    expect(cleaned).toMatchObject({ kind: 'cleaned', rewritten: [] })
    expect((await uncleanedErasures(side.pool)).count).toBeGreaterThan(0)
    // The product does not repeat it; an operator does.
    expect(await clean({ largestBytes: 0 })).toEqual({ kind: 'nothing' })
    expect(await clean()).toMatchObject({ kind: 'cleaned', tooLarge: [] })
    expect(await filesWith([name])).toEqual([])
    expect((await uncleanedErasures(side.pool)).count).toBe(0)
  }, 60_000)

  it('wait for a read model that has not folded the erasure, and for a rebuild', async () => {
    const name = `mia${randomBytes(6).toString('hex')}`
    const { userId } = await givenCustomer(name)
    await erase(userId)
    await side.pool.query('CREATE SCHEMA users_v7__rebuild')
    expect(await clean()).toEqual({
      kind: 'waits',
      reason: expect.stringContaining('users_v7__rebuild') as unknown,
    })
    await side.pool.query('DROP SCHEMA users_v7__rebuild')
    await side.pool.query(
      `INSERT INTO projection.parked_stream (projection, partition_key, event, reason) VALUES ('users_v7', $1, '{}', 'x')`,
      [userId],
    )
    await clean()
    expect((await uncleanedErasures(side.pool)).count).toBe(1)
    await side.pool.query('DELETE FROM projection.parked_stream')
    expect(await clean()).toMatchObject({ kind: 'cleaned', erasures: 1 })
  }, 60_000)

  it('are rewritten while the product runs, also after a failure, which the log has', async () => {
    const name = `lea${randomBytes(6).toString('hex')}`
    const { userId } = await givenCustomer(name)
    await erase(userId)
    const lines: string[] = []
    const note = (_fields: object, message: string) => void lines.push(message)
    const { rewrite, ...rest } = parts()
    let attempts = 0
    const stop = startCleaningErased({
      ...rest,
      log: { info: note, warn: note },
      takeLease: async () => ({
        lost: new AbortController().signal,
        release: async () => undefined,
      }),
      rewrite: (signal) => {
        attempts += 1
        return attempts === 1 ? Promise.reject(new Error('The disk is full.')) : rewrite(signal)
      },
      sleep: (_ms, signal) => sleep(20, signal),
    })
    await until(
      async () => (await uncleanedErasures(side.pool)).count === 0,
      'the files are not rewritten',
    )
    await stop()
    expect(lines).toEqual([
      "Rewriting the database's files after an erasure failed; retrying with backoff.",
      'The files of the tables with texts of erased persons are rewritten.',
      "The database's files are rewritten after erasures again.",
    ])
    expect(await filesWith([name])).toEqual([])
  }, 60_000)
})
