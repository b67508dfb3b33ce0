import { join } from 'node:path'
import type pg from 'pg'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf, sealKeysOf } from '#services/event-store/audit/audit-keys'
import { sealLog } from '#services/event-store/audit/seal-log'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { customerOf } from '#services/finance/finance-event'
import { closeMonth } from '#services/reports/closing/close-month'
import { appendGenuine } from '../data/append-genuine.ts'
import { auditedEvents } from '../data/audited-log.ts'
import { accountOpened, recorded } from '../data/events.ts'
import { month, zone } from '../data/finance-values.ts'
import { realSettings, sharedSecrets } from '../data/real-settings.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { runBilling, type BillingRun } from './run-billing.ts'
import { verifyAuditRoom, type Verification } from './verify-audit-room.ts'

export const auditKey = Buffer.from(sharedSecrets.AUDIT_KEY, 'hex')
export const auditPublicKey = sealKeysOf(auditKey).publicKeyHex

/** A log with two seals and two closed months, and the command over it. */
export interface AuditedLog {
  readonly pool: pg.Pool
  readonly connectionString: string
  readonly directory: string
  /** Every customer. */
  readonly users: readonly string[]
  /** The customers that were erased before the seal: half of them. */
  readonly erased: readonly string[]
  readonly settings: Readonly<Record<string, string>> & { readonly DATA_DIR: string }
  at(name: string): string
  /** `billing audit-room`. */
  run(...args: readonly string[]): Promise<BillingRun>
  verify(file: string, ...args: readonly string[]): Promise<Verification>
  erase(users: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/**
 * One event is recorded after the newest seal, of 2027-06-15. `maxCustomers` limits the log, for
 * tests that verify it thousands of times.
 */
export async function createAuditedLog(maxCustomers?: number): Promise<AuditedLog> {
  const directory = await temporaryDirectory()
  const database = await createTestDatabase()
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const keys = createPersonalKeys(pool, Buffer.from(sharedSecrets.MASTER_KEY, 'hex'))
  const codec = createCodec(keys)
  const macKey = macKeyOf(auditKey)
  const log = { store, codec, macKey }
  const clock = { now: () => new Date('2027-06-15T10:00:00.000Z') }
  const timeZone = zone('Europe/Berlin')
  const commands = createCommandHandler({ ...log, clock })
  const closing = { ...financeLog(store, proofByMac(macKey)), commands, pool, clock, timeZone }
  const everybody = auditedEvents()
  const users = [...new Set(everybody.map(customerOf))].slice(0, maxCustomers)
  const events = everybody.filter((event) => users.includes(customerOf(event)))
  const erased = users.filter((_, index) => index % 2 === 0)

  async function erase(these: readonly string[]): Promise<void> {
    const event = { type: 'PersonalDataErased', data: {} } as const
    await appendGenuine(
      log,
      these.map((userId) => recorded(`account-${userId}`, event)),
    )
    for (const userId of these) await keys.erase(userId)
  }

  const half = Math.floor(events.length / 2)
  await appendGenuine(log, events.slice(0, half))
  await sealLog(store, pool, clock, { auditKey })
  await closeMonth(closing, month('2026-04'))
  await appendGenuine(log, events.slice(half))
  await closeMonth(closing, month('2026-05'))
  await erase(erased)
  await sealLog(store, pool, clock, { auditKey })
  await appendGenuine(log, [accountOpened('usr_later', 'later@example.com')])

  const at = (name: string) => join(directory.path, name)
  const settings = {
    ...realSettings,
    REPORTING_TIME_ZONE: timeZone,
    DATA_DIR: directory.path,
    DATABASE_URL: connectionString,
  }
  return {
    pool,
    connectionString,
    directory: directory.path,
    users,
    erased,
    settings,
    at,
    run: (...args) => runBilling(settings, 'audit-room', ...args),
    verify: (file, ...args) => verifyAuditRoom(at(file), '--public-key', auditPublicKey, ...args),
    erase,
    async remove() {
      await store.close()
      await database.drop()
      await directory.remove()
    },
  }
}
