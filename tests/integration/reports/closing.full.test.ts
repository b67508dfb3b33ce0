import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import { parseUserId } from '#contracts/ids'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac, withoutProof } from '#services/event-store/audit/event-proof'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { addMonths, parseMonth, type Month } from '#services/finance/calendar'
import { billingStream } from '#services/foundation/stream-names'
import { closeMonth, type ClosingParts } from '#services/reports/closing/close-month'
import { readCloses, type FinishedClose } from '#services/reports/closing/closes'
import { explainClose } from '#services/reports/closing/explain-close'
import { verifyMonths } from '#services/reports/closing/verify-months'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { day, month, zone } from '../../support/data/finance-values.ts'
import { amountsOf } from '../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { realSettings } from '../../support/data/real-settings.ts'
import { appendNewer } from '../../support/event-store/append-newer.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const masterKey = Buffer.alloc(32, 1)
const timeZone = zone('UTC')
const proof = proofByMac(macKey)
const [march, april] = [month('2026-03'), month('2026-04')]

let database: TestDatabase
let store: EventStore
let commands: CommandHandler
let now: string
let parts: ClosingParts
let recorded: number

beforeEach(async () => {
  database = await createTestDatabase()
  const { pool, connectionString } = database
  store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  now = '2026-05-14T09:00:00.000Z'
  recorded = 0
  const clock = { now: () => new Date(now) }
  commands = createCommandHandler({ store, codec, clock, macKey })
  parts = { ...financeLog(store, proof), commands, pool, clock, timeZone }
  await sell('2026-02-10')
  await sell('2026-03-05')
  await sell('2026-03-20')
  await sell('2026-04-02')
})
afterEach(async () => {
  await store.close()
  await database.drop()
})

const billingOf = (customer: number) =>
  billingStream(parseUserId(`usr_${String(customer).padStart(24, '0')}`))

async function record(event: BillingEvent, date: string): Promise<void> {
  recorded += 1
  const commandId = `command_${recorded}`
  await commands.record({
    stream: billingOf(recorded % 2),
    event: { ...event, occurredAt: `${date}T09:00:00.000Z` },
    context: {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', id: 'test' },
      source: 'system',
    },
  })
}

/** 31.00 for the 31 days from `date` on. */
function sell(date: string): Promise<void> {
  const periodStart = `${date}T09:00:00.000Z`
  const periodEnd = new Date(Date.parse(periodStart) + 31 * 86_400_000).toISOString()
  const id = `payment_${recorded}`
  return record(
    {
      type: 'PaymentSucceeded',
      data: {
        ...samplePayloads.PaymentSucceeded,
        paymentId: id,
        invoiceRef: refOf(`${id}`),
        amounts: amountsOf(31_00),
        lines: [],
        periodStart,
        periodEnd,
      },
    },
    date,
  )
}

async function close(which: Month): Promise<FinishedClose> {
  const result = await closeMonth(parts, which)
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.refusal))
  return result.close
}

const refusalOf = async (which: Month) => {
  const result = await closeMonth(parts, which)
  return result.kind === 'refused' ? result.refusal.reason : null
}
async function verify(closed: FinishedClose, isFirst = true) {
  const verified = await verifyMonths(
    { ...financeLog(store, withoutProof), pool: database.pool },
    [{ ...closed, isFirst }],
    timeZone,
  )
  const { problems = ['not verified'], isTableRewritten = false } = verified.get(closed.month) ?? {}
  return { problems, isTableRewritten }
}

async function closedRows() {
  const { rows } = await database.pool.query<{ index: number; event_id: string }>(
    'SELECT index, event_id FROM app.closed_event ORDER BY month, index',
  )
  return rows
}
/** The id of the n-th billing event of the log, from 0. */
async function eventId(n: number): Promise<string> {
  const ids: string[] = []
  for await (const page of store.readAll(null)) ids.push(...page.map(({ id }) => id))
  return ids[n] ?? ''
}
const change = (sql: string, ...values: unknown[]) => tamper(database.pool, sql, values)

describe('a close', () => {
  it('has the totals of the month, and the events of the month and of all months before', async () => {
    const { closed } = await close(march)
    expect(closed.events).toBe(3)
    expect((await closedRows()).map(({ event_id }) => event_id)).toEqual([
      await eventId(0),
      await eventId(1),
      await eventId(2),
    ])
    // 12 days of February's sale (to March 12), 27 and 12 days of those of March.
    expect(closed.totals).toEqual([
      { account: 'cash', currency: 'usd', debit: 62_00, credit: 0 },
      { account: 'receivable', currency: 'usd', debit: 62_00, credit: 62_00 },
      { account: 'deferred_revenue', currency: 'usd', debit: 51_00, credit: 62_00 },
      { account: 'revenue', currency: 'usd', debit: 0, credit: 51_00 },
    ])
    expect(await verify(await finished(march))).toEqual({ problems: [], isTableRewritten: false })
  })

  it('takes each later event once, and the next close the adjustments', async () => {
    await close(march)
    await sell('2026-03-30')
    const { closed } = await close(april)
    expect(closed.events).toBe(2)
    const events = await explainClose(
      parts,
      { month: march, through: day('2026-05-14'), timeZone },
      () => undefined,
    )
    expect(events.map(({ event }) => event.id)).toEqual([await eventId(6)])
    expect(
      events[0]?.amounts.map(({ figure, amount, booked }) => [figure, amount, booked]),
    ).toEqual([
      ['receivable', 31_00, '2026-04-01'],
      ['deferred_revenue', -31_00, '2026-04-01'],
      ['cash', 31_00, '2026-04-01'],
      ['receivable', -31_00, '2026-04-01'],
      ['deferred_revenue', 2_00, '2026-04-01'],
      ['revenue', -2_00, '2026-04-01'],
    ])
    expect((await verify(await finished(march))).problems).toEqual([])
    expect((await verify(await finished(april), false)).problems).toEqual([])
  })

  it('refuses a month that is closed, that has not ended, or that is out of order', async () => {
    await close(march)
    expect(await refusalOf(march)).toBe('already-closed')
    expect(await refusalOf(addMonths(march, 2))).toBe('not-ended')
    now = '2026-07-01T09:00:00.000Z'
    expect(await refusalOf(addMonths(march, 2))).toBe('out-of-order')
    expect(await refusalOf(addMonths(march, -1))).toBe('out-of-order')
    parts = { ...parts, timeZone: zone('Asia/Tokyo') }
    expect(await refusalOf(april)).toBe('other-time-zone')
  })

  it('that was interrupted after the cut is completed, and later events stay adjustments', async () => {
    await interruptAfterCut()
    expect(await readCloses(parts, april)).toMatchObject([{ month: march, closed: null }])
    await sell('2026-03-25')
    expect(await refusalOf(april)).toBe('unfinished')
    const { closed } = await close(march)
    expect(closed.events).toBe(3)
    expect(await closedRows()).toHaveLength(3)
    expect((await verify(await finished(march))).problems).toEqual([])
    expect((await close(april)).closed.events).toBe(2)
  })

  it('that was interrupted is completed if a newer release wrote an event after the cut', async () => {
    await interruptAfterCut()
    await appendNewer(store, billingOf(1))
    expect((await close(march)).closed.events).toBe(3)
    expect((await verify(await finished(march))).problems).toEqual([])
  })

  it.each([
    ['that a newer release wrote', /run release 99\.1\.0 or a newer one\.$/],
    ['that is damaged', /it has no MAC of this AUDIT_KEY/],
  ])('does not cut off the month if the log has an event %s', async (what, reason) => {
    const stream = billingOf(1)
    if (what === 'that is damaged') await breakEvent({ pool: database.pool, store }, stream, 0)
    else await appendNewer(store, stream)
    await expect(closeMonth(parts, march)).rejects.toThrow(reason)
    expect(await readCloses(financeLog(store, withoutProof), april)).toEqual([])
    expect(await closedRows()).toEqual([])
  })

  it('reads the log once', async () => {
    let read = 0
    parts = { ...parts, onEvents: (count) => (read += count) }
    await close(march)
    // The 4 sales and the cut.
    expect(read).toBe(5)
  })

  it.each([
    ['before the cut', 4, 1],
    ['after the cut', 3, 2],
  ])(
    'misses no event that is appended while it is computed, %s',
    async (when, ofMarch, ofApril) => {
      let isAppended = false
      const slow: ClosingParts = {
        ...parts,
        ...financeLog(
          {
            readStream: store.readStream,
            async *readAll(after: string | null) {
              const isCut = (await readCloses(parts, april)).length > 0
              if (!isAppended && isCut === (when === 'after the cut')) {
                isAppended = true
                await sell('2026-03-28')
              }
              yield* store.readAll(after, 1)
            },
          },
          proof,
        ),
      }
      expect(await closeMonth(slow, march)).toMatchObject({
        close: { closed: { events: ofMarch } },
      })
      expect((await close(april)).closed.events).toBe(ofApril)
      expect((await verify(await finished(march))).problems).toEqual([])
    },
  )

  async function interruptAfterCut(): Promise<void> {
    const failing: ClosingParts = {
      ...parts,
      commands: {
        load: commands.load,
        handle: ((request) =>
          typeof request.command === 'object' &&
          JSON.stringify(request.command).includes('close-month')
            ? Promise.reject(new Error('the process ends'))
            : commands.handle(request)) as CommandHandler['handle'],
      },
    }
    await expect(closeMonth(failing, march)).rejects.toThrow('the process ends')
  }
})

describe('a proof of a closed month names the first event', () => {
  let closed: FinishedClose
  beforeEach(async () => {
    closed = await close(march)
  })

  it('whose content was changed, and the totals that changed with it', async () => {
    const id = await eventId(1)
    await change(
      `UPDATE log.event SET data = jsonb_set(data::jsonb, '{amounts,paid}', '100')::json WHERE id = $1`,
      id,
    )
    const { problems } = await verify(closed)
    expect(problems[0]).toMatch(/^The root of the 3 events of 2026-03 is [0-9a-f]{64}\. It was/)
    expect(problems[1]).toBe(
      `The first event that is not the closed one is ${id}, event 2 of the month: its content was changed.`,
    )
    expect(problems[2]).toBe(
      'The total of cash usd is debit 32.00 and credit 0.00. It was debit 62.00 and credit 0.00 at the close.',
    )
  })

  it('that was removed, also the last one', async () => {
    const [first, last] = [await eventId(0), await eventId(2)]
    await change('DELETE FROM log.event WHERE id = $1', last)
    expect((await verify(closed)).problems.slice(0, 2)).toEqual([
      '2026-03 has 2 events. It had 3 at the close.',
      `The first closed event that the month does not have at its place is ${last}, event 3 of the month: it was removed, or its date or order was changed.`,
    ])
    await change('DELETE FROM log.event WHERE id = $1', first)
    expect((await verify(closed)).problems[1]).toContain(`is ${first}, event 1 of the month`)
  })

  it('that was inserted', async () => {
    const [copied, removed] = [await eventId(3), await eventId(1)]
    // The sale of April, with a date in March.
    await change(
      `UPDATE log.event SET metadata = jsonb_set(metadata::jsonb, '{occurredAt}', '"2026-03-31T09:00:00.000Z"')::json WHERE id = $1`,
      copied,
    )
    expect((await verify(closed)).problems[1]).toBe(
      `The first event that is not the closed one is ${copied}, event 4 of the month: it was inserted.`,
    )
    await change('DELETE FROM log.event WHERE id = $1', removed)
    expect((await verify(closed)).problems[1]).toContain(`is ${removed}, event 2 of the month`)
  })

  it('unless the rows of the close were changed as well', async () => {
    const id = await eventId(1)
    await change('DELETE FROM log.event WHERE id = $1', id)
    await database.pool.query('DELETE FROM app.closed_event WHERE event_id = $1', [id])
    expect((await verify(closed)).problems[1]).toContain('cannot be named')
  })

  it('and writes the rows of the close again if only they were changed', async () => {
    const before = await closedRows()
    await database.pool.query(`UPDATE app.closed_event SET hash = 'invented' WHERE index = 1`)
    expect(await verify(closed)).toEqual({ problems: [], isTableRewritten: true })
    expect(await closedRows()).toEqual(before)
    expect(await verify(closed)).toEqual({ problems: [], isTableRewritten: false })
  })

  it('and finds a removed cut', async () => {
    await change(`DELETE FROM log.event WHERE type = 'MonthCutOff'`)
    expect((await verify(closed)).problems).toEqual([
      `The event ${closed.cutOffEventId}, which cut off 2026-03, is missing.`,
    ])
  })
})

describe('the command billing close', () => {
  it('closes, lists, shows and proves a month, and refuses bad input with exit code 2', async () => {
    const directory = await temporaryDirectory()
    const settings = {
      DATA_DIR: directory.path,
      DATABASE_URL: database.connectionString,
      ...realSettings,
      // Without a key, the sandbox is the provider. It does not run.
      STRIPE_SECRET_KEY: '',
      SANDBOX_PORT: String(await freePort()),
      MASTER_KEY: masterKey.toString('hex'),
      AUDIT_KEY: auditKey.toString('hex'),
    }
    const run = (...args: readonly string[]) => runBilling(settings, 'close', ...args)
    try {
      const refused = { code: 2, stdout: '' }
      expect(await run('2026-13')).toMatchObject({
        ...refused,
        stderr: expect.stringContaining('"2026-13" is no month. Write it as 2026-03.'),
      })
      expect(await run('show', '2026-03')).toMatchObject({
        ...refused,
        stderr: expect.stringMatching(/^Month 2026-03 has no close\. /m),
      })
      expect(await run('9999-03', '--yes')).toMatchObject({
        ...refused,
        stderr: expect.stringContaining('Month 9999-03 has not ended'),
      })

      const closed = await run('2026-03', '--yes', '--accept', 'The provider is away.')
      expect(closed.code).toBe(0)
      expect(closed.stdout).toContain('cash              usd       62.00    0.00\n')
      expect(closed.stdout).toMatch(/Events booked in the month: 3\nMerkle root: [0-9a-f]{64}\n/)
      expect(closed.stdout).toContain(`'billing close verify 2026-03' proves the close`)

      expect((await run('list')).stdout).toMatch(/2026-03 +UTC +2\d{3}-.*Z +3 +[0-9a-f]{64}\n/)
      await sell('2026-03-30')
      const shown = await run('show', '2026-03')
      expect(shown.stdout).toContain('Adjustments of 2026-03 by 1 later event:')
      expect(shown.stdout).toMatch(
        new RegExp(
          `${await eventId(6)} +PaymentSucceeded +2026-03-30 +2026-04-01 +cash +usd +31.00`,
        ),
      )
      expect(shown.stdout).toMatch(/revenue +usd +-51.00 +-2.00 +-53.00\n/)
      expect(await run('verify', '2026-03')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^Month 2026-03 has the 3 events and the totals of its close/,
        ),
      })
      await change('DELETE FROM log.event WHERE id = $1', await eventId(1))
      expect(await run('verify', '2026-03')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('event 2 of the month'),
      })

      const adjusted = await runBilling(settings, 'report', 'adjustments', '--to', '2026-04')
      expect(adjusted.stdout).toMatch(/2026-03 .* 2026-04-01/)
      const elsewhere = { ...settings, REPORTING_TIME_ZONE: 'Asia/Tokyo' }
      const stderr = expect.stringContaining('Set REPORTING_TIME_ZONE=UTC')
      expect(await runBilling(elsewhere, 'close', '2026-04', '--yes')).toMatchObject({
        code: 2,
        stderr,
      })
      expect(await runBilling(elsewhere, 'report', 'mrr')).toMatchObject({ code: 2, stderr })
      expect(await runBilling(elsewhere, 'close', 'verify', '2026-03')).toMatchObject({
        code: 2,
        stdout: '',
        stderr,
      })
    } finally {
      await directory.remove()
    }
  }, 180_000)
})

async function finished(which: Month): Promise<FinishedClose> {
  const found = (await readCloses(parts, parseMonth('2026-05') ?? which)).find(
    (each) => each.month === which,
  )
  if (!found?.closed) throw new Error(`${which} is not closed`)
  return { ...found, closed: found.closed }
}
