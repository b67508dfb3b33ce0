import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import type { BusinessClock } from '#services/foundation/business-clock'
import { keepStoredClock } from '#services/foundation/stored-clock'
import { startOperatorClock } from '#services/operations/operator-clock'
import { readConfig } from '#services/settings/read-config'
import { realSettings } from '../../support/data/real-settings.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let store: EventStore
let clock: BusinessClock | null = null

beforeEach(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterEach(async () => {
  await clock?.close()
  clock = null
  await store.close()
  await database.drop()
  await directory.remove()
})

/** The settings of a product with its own sandbox, which does not run. */
const ofSandbox = () => readConfig({ DATA_DIR: directory.path, SANDBOX_PORT: '1' })
const ofRealKeys = () =>
  readConfig({ ...realSettings, DATABASE_URL: database.connectionString, DATA_DIR: directory.path })

async function start(config = ofSandbox()): Promise<BusinessClock> {
  const log = pino({ level: 'silent' })
  return (clock = await startOperatorClock({ config, pool: database.pool, store, log }))
}

async function append(recordedAt: string): Promise<void> {
  const event = { id: crypto.randomUUID(), type: 'SomethingHappened', data: {} }
  await store.append(`account-${event.id}`, 'no-stream', [{ ...event, metadata: { recordedAt } }])
}

const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
const year = 365 * 24 * 3_600_000

describe('the clock of an operator’s command', () => {
  it('is not before the last event of a killed product, whose stored time is older', async () => {
    await keepStoredClock(database.pool, new Date(ahead(year - 9_000)))
    const last = ahead(year)
    await append(ahead(year - 1_000))
    await append(last)
    expect((await start()).now().toISOString() >= last).toBe(true)
  })

  it('passes from there, so that the events of a long command have their own times', async () => {
    const last = ahead(year)
    await append(last)
    const { now } = await start()
    const first = now().getTime()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(first).toBeGreaterThanOrEqual(Date.parse(last))
    expect(now().getTime()).toBeGreaterThan(first)
  })

  it('is not before the last event of another machine whose clock is a little ahead', async () => {
    const last = ahead(30_000)
    await append(last)
    expect((await start(ofRealKeys())).now().toISOString() >= last).toBe(true)
  })

  it('is not before an event of another process that a later event precedes in time', async () => {
    const latest = ahead(30_000)
    await append(latest)
    await append(ahead(20_000))
    expect((await start(ofRealKeys())).now().toISOString() >= latest).toBe(true)
  })

  it('is not before the events before a damaged one', async () => {
    const last = ahead(30_000)
    await append(last)
    await append('no time')
    expect((await start(ofRealKeys())).now().toISOString() >= last).toBe(true)
  })

  it('ignores an event that a wrong clock dated years ahead', async () => {
    await append(ahead(2 * year))
    const found = (await start(ofRealKeys())).now().getTime()
    expect(found).toBeLessThan(Date.now() + 1_000)
  })

  it('is the real time for an empty log', async () => {
    const before = Date.now()
    expect((await start()).now().getTime()).toBeGreaterThanOrEqual(before)
  })
})
