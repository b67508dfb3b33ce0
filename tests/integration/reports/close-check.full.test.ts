import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { closeMonth, type ClosingParts } from '#services/reports/closing/close-month'
import { verifyIntegrity } from '#services/reports/integrity/verify-integrity'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { month, zone } from '../../support/data/finance-values.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import {
  auditKey,
  createAuditedLog,
  type AuditedLog,
} from '../../support/product/audited-log-side.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const timeZone = zone('Europe/Berlin')
const now = '2026-11-26T09:00:00.000Z'
const june = month('2026-06')

let log: AuditedLog
let store: EventStore
beforeEach(async () => {
  log = await createAuditedLog(4)
  store = createPostgresEventStore({ connectionString: log.settings['DATABASE_URL'] ?? '' })
})
afterEach(async () => {
  await store.close()
  await log.remove()
})

const billing = (...args: readonly string[]) => runBilling(log.settings, ...args)

/** What the verification finds beside chains and seals. */
async function problemsOfCloses(): Promise<readonly string[]> {
  const { pool } = log
  const keys = createPersonalKeys(pool, Buffer.from(sharedSecrets.MASTER_KEY, 'hex'))
  const parts = { store, pool, keys, auditKey, timeZone, now, places: [], manifests: [] }
  const { checked } = await verifyIntegrity(parts)
  return checked.flatMap(({ problems }) => problems)
}

/** Closes a month as the product does, with other data in the event MonthClosed. */
async function closeWrongly(change: (closed: Record<string, unknown>) => void): Promise<void> {
  const clock = { now: () => new Date('2026-07-03T09:00:00.000Z') }
  const written = createCodec(createPersonalKeys(log.pool, Buffer.alloc(32, 1)))
  const commands = createCommandHandler({
    store,
    codec: written,
    clock,
    macKey: macKeyOf(auditKey),
  })
  const wrong: ClosingParts['commands'] = {
    load: commands.load,
    handle: ((request) => {
      const command = structuredClone(request.command) as { closed?: Record<string, unknown> }
      if (command.closed !== undefined) change(command.closed)
      return commands.handle({ ...request, command } as typeof request)
    }) as CommandHandler['handle'],
  }
  const proven = financeLog(store, proofByMac(macKeyOf(auditKey)))
  await closeMonth({ ...proven, commands: wrong, pool: log.pool, clock, timeZone }, june)
}

describe('a log whose closed months do not verify', () => {
  beforeEach(() =>
    closeWrongly((closed) => {
      closed['totals'] = [
        ...(closed['totals'] as { account: string }[]).filter(({ account }) => account !== 'cash'),
        { account: 'cash', currency: 'usd', debit: 9_00, credit: 0 },
      ]
    }),
  )

  it('is a finding of events verify, is not sealed, and close verify --all names the month', async () => {
    const verified = await billing('events', 'verify')
    expect(verified).toMatchObject({ code: 1 })
    expect(verified.stdout).toMatch(
      /\nThe verification found .* and 1 problem of closed months\.\n$/,
    )
    expect(verified.stdout).toMatch(
      /^Month 2026-06: The total of cash usd is .* It was debit 9\.00/m,
    )

    const sealed = await billing('events', 'seal')
    expect(sealed).toMatchObject({ code: 1 })
    expect(sealed.stdout).toContain('Nothing was sealed')
    expect((await log.pool.query('SELECT 1 FROM app.seal')).rowCount).toBe(2)

    const all = await billing('close', 'verify', '--all')
    expect(all).toMatchObject({ code: 1 })
    expect(all.stdout).toMatch(/^Month 2026-04 has the \d+ events and the totals of its close/)
    expect(all.stdout).toMatch(/^Month 2026-06: The total of cash usd is .* It was debit 9\.00/m)
  }, 120_000)
})

describe('the closed months of a log', () => {
  it('are proved by events verify and close verify --all', async () => {
    expect((await billing('events', 'verify')).stdout).toMatch(
      /All 2 closed months have the events and the totals of their closes\. No personal key is missing\.\n$/,
    )
    expect(await billing('close', 'verify', '--all')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Month 2026-04 has the .*\nMonth 2026-05 has the .*\n$/,
      ) as unknown,
    })
    expect(await billing('close', 'verify')).toMatchObject({ code: 2, stdout: '' })
    expect(await billing('close', 'verify', '2026-04', '--all')).toMatchObject({ code: 2 })
  }, 120_000)

  it('are missed if their closes were removed with the seals that cover them', async () => {
    await tamper(log.pool, `DELETE FROM log.event WHERE stream = 'close-2026-05'`)
    expect(await problemsOfCloses()).toEqual([
      'Month 2026-05: the database has the events of its close, and the log has no close of it: the close was removed from the log.',
    ])
  })

  it.each([
    ['billing', /^Month 2026-04: It cannot be computed\. Event .* cannot be read/],
    ['close', /^No closed month can be proved\. Event .* cannot be read/],
  ])('cannot be proved if an event of a %s stream cannot be read', async (category, problem) => {
    const { rows } = await log.pool.query<{ stream: string }>(
      `SELECT stream FROM log.event WHERE stream LIKE '${category}-%' AND revision = 0 ORDER BY position LIMIT 1`,
    )
    await breakEvent({ pool: log.pool, store }, rows[0]?.stream ?? '', 0)
    expect((await problemsOfCloses())[0]).toMatch(problem)
  })

  it('of a wrong number of events are named', async () => {
    await closeWrongly((closed) => void (closed['events'] = 7_000))
    expect((await problemsOfCloses())[0]).toMatch(
      /^Month 2026-06: 2026-06 has .* It had 7000 at the close\.$/,
    )
  })
})
