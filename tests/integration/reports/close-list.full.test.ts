import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { Month } from '#services/finance/calendar'
import { closeMonth } from '#services/reports/closing/close-month'
import { month, zone } from '../../support/data/finance-values.ts'
import { realSettings } from '../../support/data/real-settings.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { type BillingRun } from '../../support/product/run-billing.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let store: EventStore
beforeEach(async () => {
  ;[database, directory] = await Promise.all([createTestDatabase(), temporaryDirectory()])
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterEach(async () => {
  await store.close()
  await database.drop()
  await directory.remove()
})

/** Closes a month of an empty log at the start of a later year, as a product with a sandbox can. */
async function close(which: Month, at: string): Promise<void> {
  const { pool } = database
  const clock = { now: () => new Date(at) }
  const written = createCodec(createPersonalKeys(pool, Buffer.alloc(32, 1)))
  const commands = createCommandHandler({ store, codec: written, clock, macKey })
  const proven = financeLog(store, proofByMac(macKey))
  const parts = { ...proven, commands, pool, clock, timeZone: zone('UTC') }
  expect(await closeMonth(parts, which)).toMatchObject({ kind: 'closed' })
}

function billingClose(...args: readonly string[]): Promise<BillingRun> {
  const settings = { DATA_DIR: directory.path, DATABASE_URL: database.connectionString }
  const keys = { ...realSettings, AUDIT_KEY: auditKey.toString('hex') }
  return runBilling({ ...settings, ...keys }, 'close', ...args)
}

// An import, a copy or `clock reset` leaves the database without the time of the log.
it('lists closes that are later than the clock, also if no earlier month is closed', async () => {
  await close(month('2097-11'), '2098-02-01T09:00:00.000Z')
  await close(month('2097-12'), '2098-02-01T09:00:00.000Z')
  const { stdout } = await billingClose('list')
  expect(stdout).toMatch(/2097-11 .*\n2097-12 /)
  expect((await billingClose('show', '2097-12')).stdout).toContain('Month 2097-12 is closed')
  expect((await billingClose('verify', '--all')).code).toBe(0)
}, 120_000)

it('refuses the log that the read models were not folded from', async () => {
  await database.pool.query(`INSERT INTO projection.source_log (log_id) VALUES (gen_random_uuid())`)
  await database.pool.query(
    `INSERT INTO projection.checkpoint (name, version, position) VALUES ('users', 1, '1')`,
  )
  expect(await billingClose('list')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('were built from another event log') as unknown,
  })
}, 60_000)

it('says that no month is closed only after the whole log was read', async () => {
  expect((await billingClose('list')).stdout).toMatch(/^No month is closed\./)
}, 60_000)
