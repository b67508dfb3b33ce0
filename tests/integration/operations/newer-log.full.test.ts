import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { EventStore } from '#services/event-store/event-store'
import { newestNewer } from '#services/event-store/newest-newer'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { someEvent } from '../../support/data/some-event.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  ;[database, directory] = await Promise.all([createTestDatabase(), temporaryDirectory()])
})
afterEach(async () => {
  await database.drop()
  await directory.remove()
})

const keys = {
  MASTER_KEY: randomBytes(32).toString('hex'),
  EMAIL_HMAC_KEY: randomBytes(32).toString('hex'),
  PORTAL_KEY: randomBytes(32).toString('hex'),
  AUDIT_KEY: randomBytes(32).toString('hex'),
}
const billing = ({ connectionString }: TestDatabase, ...args: readonly string[]) =>
  runBilling({ DATA_DIR: directory.path, DATABASE_URL: connectionString, ...keys }, ...args)

/** Closes the store: a reset refuses while a process of the product is connected. */
async function withStore<Result>(work: (store: EventStore) => Promise<Result>): Promise<Result> {
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** An event that no release of the product knows. */
function append(release?: string) {
  const { metadata } = someEvent()
  return withStore((store) =>
    store.append(`signIn-${randomUUID()}`, 'no-stream', [
      { ...someEvent(), type: 'NoteAdded', metadata: { ...metadata, ...(release && { release }) } },
    ]),
  )
}
const newest = () => withStore((store) => newestNewer(store))

describe('a log with events that only a newer release knows', () => {
  it('needs the newest of the releases that wrote them', async () => {
    expect(await newest()).toBeNull()
    await append()
    expect(await newest()).toMatchObject({ writtenBy: null })
    for (const release of ['99.2.0', '99.10.0', '99.10.0-rc.1', '99.9.1']) await append(release)
    expect(await newest()).toMatchObject({ writtenBy: '99.10.0' })
  })

  it('keeps its checkpoints at a reset by this release', async () => {
    await append('99.1.0')
    await database.pool.query(
      `INSERT INTO projection.checkpoint (name, version, position) VALUES ('users', 5, '5')`,
    )
    const reset = await billing(database, 'projections', 'reset')
    expect(reset).toMatchObject({ code: 1, stdout: '' })
    expect(reset.stderr).toMatch(
      /\nThe log has events that release \S+ does not know, so it cannot build the read models: run 'projections reset' with release 99\.1\.0 or a newer one\.\n$/,
    )
    const { rowCount } = await database.pool.query('SELECT 1 FROM projection.checkpoint')
    expect(rowCount).toBe(1)
  }, 60_000)

  it('is restored and imported, and the commands name the release that builds the read models', async () => {
    await append('99.1.0')
    const [backup, exported] = [join(directory.path, 'backup'), join(directory.path, 'log.ndjson')]
    expect(await billing(database, 'backup', backup)).toMatchObject({ code: 0 })
    expect(await billing(database, 'events', 'export', '--out', exported)).toMatchObject({
      code: 0,
    })
    for (const command of [
      // The events have no MAC: a test wrote them.
      ['restore', backup, '--unproven'],
      ['events', 'import', exported, '--other-audit-key'],
    ]) {
      const target = await createTestDatabase()
      try {
        const done = await billing(target, ...command)
        expect(done).toMatchObject({ code: 0 })
        expect(done.stdout).toMatch(
          /\nThe log has events that release \S+ does not know: start release 99\.1\.0 or a newer one\. A start of this release is not ready until that release has built the read models\.\n$/,
        )
      } finally {
        await target.drop()
      }
    }
  }, 120_000)
})
