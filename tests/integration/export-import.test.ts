import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCodec } from '#services/event-store/codec'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { chain } from '#services/event-store/hash-chain'
import { createPersonalKeys } from '#services/event-store/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { verifyLog } from '#services/event-store/verify-log'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { profile } from '../support/events.ts'
import { runBilling, type BillingRun } from '../support/run-billing.ts'
import { someEvent } from '../support/some-event.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const masterKey = randomBytes(32)
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let file: string
let here: System
let there: System

interface System {
  readonly database: TestDatabase
  readonly store: EventStore
  billing(settings: Record<string, string>, ...args: string[]): Promise<BillingRun>
}

beforeEach(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'log.ndjson')
  ;[here, there] = [await system(), await system()]
})
afterEach(async () => {
  for (const { store, database } of [here, there]) {
    await store.close()
    await database.drop()
  }
  await directory.remove()
})

async function system(): Promise<System> {
  const database = await createTestDatabase()
  return {
    database,
    store: createPostgresEventStore({ connectionString: database.connectionString }),
    billing: (settings, ...args) =>
      runBilling({ DATA_DIR: directory.path, DATABASE_URL: database.connectionString, MASTER_KEY: masterKey.toString('hex'), ...settings }, 'events', ...args),
  }
}

const codecOf = ({ database }: System) => createCodec(createPersonalKeys(database.pool, masterKey))

/** Appends an event of the catalogue, encoded and chained. */
async function record({ store }: System, by: ReturnType<typeof codecOf>, stream: string, type: string, data: unknown): Promise<void> {
  const id = randomUUID()
  const last = (await store.readStream(stream)).at(-1)
  const encoded = await by.encode(stream, { id, type, data })
  const metadata = { ...someEvent().metadata, recordedAt: new Date(1.7e12 + Math.random() * 1e10).toISOString() }
  await store.append(stream, last?.revision ?? 'no-stream', chain(stream, last, [{ id, type, data: encoded.data, metadata }]))
}

async function givenCustomers(count: number): Promise<void> {
  const codec = codecOf(here)
  for (let n = 0; n < count; n += 1) {
    await record(here, codec, `account-usr_${n}`, 'AccountOpened', { userId: `usr_${n}`, email: `dana${n}@birchwood.example` })
    if (n > 0) await record(here, codec, `account-usr_${n - 1}`, 'CompanyProfileCompleted', { ...profile, termsVersion: '1' })
  }
}

async function all({ store }: System): Promise<readonly StoredEvent[]> {
  const pages: (readonly StoredEvent[])[] = []
  for await (const page of store.readAll(null)) pages.push(page)
  return pages.flat()
}

const withoutPosition = (events: readonly StoredEvent[]) => events.map(({ id, type, stream, revision, data, metadata }) => ({ id, type, stream, revision, data, metadata }))

describe('an export with its keys', () => {
  it('gives an empty store the same log: ids, order, revisions, times and what personal fields read as', async () => {
    await givenCustomers(5)
    await createPersonalKeys(here.database.pool, masterKey).erase('usr_2')
    expect(await here.billing({}, 'export', '--with-keys', '--out', file)).toMatchObject({ code: 0, stderr: expect.stringMatching(/Exporting: 9 events in/) as unknown })
    const imported = await there.billing({}, 'import', file)
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported 9 events\. 5 personal keys came with them\./) as unknown })

    const [before, after] = [await all(here), await all(there)]
    expect(withoutPosition(after)).toEqual(withoutPosition(before))
    const [read, readThere] = [await codecOf(here).decode(before), await codecOf(there).decode(after)]
    expect(readThere.map(({ data }) => data)).toEqual(read.map(({ data }) => data))
    expect(JSON.stringify(readThere)).toContain('dana1@birchwood.example')
    expect(JSON.stringify(readThere)).not.toContain('dana2@birchwood.example')

    await record(there, codecOf(there), 'account-usr_4', 'CodeRefused', { reason: 'wrong' })
    expect((await verifyLog(there.store, { sealed: [], auditKey: masterKey })).problems).toEqual([])
  }, 60_000)

  it('does not open with another MASTER_KEY, and then nothing is imported', async () => {
    await givenCustomers(3)
    await here.billing({}, 'export', '--with-keys', '--out', file)
    const imported = await there.billing({ MASTER_KEY: 'ab'.repeat(32) }, 'import', file)
    expect(imported).toMatchObject({ code: 1, stderr: expect.stringContaining('wrapped by another MASTER_KEY') as unknown })
    expect(await all(there)).toEqual([])
  }, 60_000)
})

describe('an export without keys', () => {
  it('holds no personal field in clear, and reads as erased elsewhere, also after more was written there', async () => {
    await givenCustomers(3)
    const exported = await here.billing({}, 'export')
    expect(exported.stdout).not.toMatch(/dana|Birchwood|Orchard|wrappedKey/)
    await writeFile(file, exported.stdout)
    expect((await there.billing({}, 'import', file)).stdout).toMatch(/no keys: personal fields read as \[erased\]/)
    await record(there, codecOf(there), 'account-usr_1', 'ProfileUpdated', profile)
    const read = await codecOf(there).decode(await all(there))
    expect(read.map(({ type }) => type)).toEqual(['AccountOpened', 'AccountOpened', 'CompanyProfileCompleted', 'AccountOpened', 'CompanyProfileCompleted', 'ProfileUpdated'])
    for (const { data } of read) expect(JSON.stringify(data)).toContain('[erased]')
    expect(JSON.stringify(read)).not.toMatch(/dana|Birchwood/)
  }, 60_000)
})

describe('an import', () => {
  it('refuses a log that has events', async () => {
    await givenCustomers(2)
    await here.billing({}, 'export', '--with-keys', '--out', `${file}.gz`)
    expect(await here.billing({}, 'import', `${file}.gz`)).toMatchObject({ code: 1, stderr: expect.stringContaining('has events already') as unknown })
    expect(await all(here)).toHaveLength(3)
  }, 60_000)

  it('believes nothing of a file that was changed, cut, or is something else', async () => {
    await givenCustomers(2)
    await here.billing({}, 'export', '--with-keys', '--out', file)
    const text = await readFile(file, 'utf8')
    const lines = text.split('\n')
    const broken: readonly [string, RegExp][] = [
      [text.replace('"revision":1', '"revision":2'), /does not have the checksum/],
      [lines.toSpliced(2, 1).join('\n'), /does not have the checksum/],
      [lines.slice(0, -2).join('\n'), /is incomplete/],
      [text.slice(0, text.length / 2), /is incomplete/],
      ['', /is incomplete/],
      ['a\nb\n', /no export of events/],
    ]
    for (const [content, message] of broken) {
      await writeFile(file, content)
      expect(await there.billing({}, 'import', file)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as unknown })
    }
    await writeFile(`${file}.gz`, 'not packed')
    expect((await there.billing({}, 'import', `${file}.gz`)).stderr).toMatch(/cannot be unpacked/)
    expect((await there.billing({}, 'import', `${file}.missing`)).stderr).toMatch(/cannot be read \(ENOENT\)/)
    expect(await all(there)).toEqual([])
  }, 120_000)

  it('that fails half-way leaves nothing behind', async () => {
    await givenCustomers(3)
    await here.billing({}, 'export', '--with-keys', '--out', file)
    await there.database.pool.query(`INSERT INTO app.personal_key VALUES ('usr_1', 'x', now(), NULL)`)
    expect((await there.billing({}, 'import', file)).stderr).toMatch(/has personal keys already/)
    expect(await all(there)).toEqual([])
  }, 60_000)
})
