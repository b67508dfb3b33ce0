import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventMetadata } from '#contracts/events/envelope'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { macKeyOf, sealKeysOf } from '#services/event-store/audit/audit-keys'
import { checkSeals } from '#services/event-store/audit/check-seals'
import { chain } from '#services/event-store/audit/hash-chain'
import { proveLog } from '#services/event-store/audit/proven-log'
import { readSeals } from '#services/event-store/audit/seal-table'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { ForgedEvent } from '#services/event-store/errors'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { controls } from '#services/finance/controls/controls'
import { streamOwner } from '#services/foundation/stream-names'
import { withAuditRoom } from '#services/reports/audit-room/audit-room'
import { explainClose } from '#services/reports/closing/explain-close'
import { runControls } from '#services/reports/control-run'
import { financeLog } from '#services/reports/finance-log'
import { parseParameters } from '#services/reports/parse-parameters'
import { followLog } from '#services/reports/reconciliation/log-side'
import { createReplayReader } from '#services/reports/replay-reader'
import { reportByName } from '#services/reports/report-by-name'
import { runReport } from '#services/reports/run-report'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { day, month, zone } from '../../support/data/finance-values.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import {
  auditKey,
  createAuditedLog,
  type AuditedLog,
} from '../../support/product/audited-log-side.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const timeZone = zone('Europe/Berlin')
const now = '2027-06-15T10:00:00.000Z'
const signal = new AbortController().signal
const macKey = macKeyOf(auditKey)

let log: AuditedLog
let store: EventStore
/** A payment that every report reads. */
let payment: StoredEvent

beforeAll(async () => {
  log = await createAuditedLog(12)
  store = createPostgresEventStore({ connectionString: log.connectionString })
  for await (const page of store.readAll(null))
    payment = page.find(({ type }) => type === 'PaymentSucceeded') ?? payment
}, 120_000)
afterAll(async () => {
  await store.close()
  await log.remove()
})

const source = () => financeLog(store, proofByMac(macKey))

function parametersOf(given: Parameters<typeof parseParameters>[0]) {
  const parsed = parseParameters(given, timeZone, now)
  if (parsed.kind === 'refused') throw new Error(parsed.problem)
  return parsed.parameters
}

async function report(
  given: Parameters<typeof parseParameters>[0] = {},
  isExplained = false,
): Promise<void> {
  const options = { computedAt: now, isExplained }
  const file = runReport(reportByName('revenue'), parametersOf(given), source(), options)
  for await (const _rows of file.rows());
}

async function room(): Promise<void> {
  const keys = createPersonalKeys(log.pool, Buffer.from(sharedSecrets.MASTER_KEY, 'hex'))
  const seals = [{ name: 'the database', seals: await readSeals(log.pool) }]
  const parts = {
    store: proveLog(store, proofByMac(macKey), () => true),
    codec: createKeylessCodec(),
    keys,
    seals: checkSeals(seals, sealKeysOf(auditKey)).seals,
  }
  const request = { from: month('2026-03'), to: month('2027-06'), sample: 3, seed: '' }
  await withAuditRoom(parts, { ...request, timeZone, computedAt: now }, async () => undefined)
}

const figure = { report: 'revenue', column: 'gross', key: {} } as const

/** Everything that reads the log for money. */
const readers: Readonly<Record<string, () => Promise<unknown>>> = {
  'a report': () => report(),
  'a report as it was known earlier': () => report({ knownAt: '2026-12-31' }),
  'the events behind the figures of a report': () => report({}, true),
  'the events behind a figure of the Reports page': () =>
    createReplayReader(source(), timeZone).explain(
      figure,
      parametersOf({}),
      { after: null, limit: 50 },
      signal,
    ),
  'the first month of the Reports page': () => createReplayReader(source(), timeZone).state(signal),
  'the adjustments of a closed month': () =>
    explainClose(
      source(),
      { month: month('2026-04'), through: day('2027-06-15'), timeZone },
      () => undefined,
    ),
  'the reconciliation': () => followLog(source()).advance(),
  'an audit room': room,
}

/** What an owner of the database without AUDIT_KEY can do to the payment. */
const forgeries: Readonly<Record<string, string>> = {
  'a changed amount': `UPDATE log.event SET data = jsonb_set(data::jsonb, '{amount}', '1') WHERE id = $1`,
  'a type that no report reads': `UPDATE log.event SET type = 'ProfileConfirmed' WHERE id = $1`,
  'a later time of recording': `UPDATE log.event SET metadata = jsonb_set(metadata::jsonb, '{recordedAt}', '"2027-06-14T00:00:00.000Z"') WHERE id = $1`,
  'no MAC': `UPDATE log.event SET metadata = metadata::jsonb - 'mac' WHERE id = $1`,
}

async function whileForged(sql: string, work: () => Promise<unknown>): Promise<unknown> {
  await tamper(log.pool, sql, [payment.id])
  try {
    return await work()
  } finally {
    await tamper(
      log.pool,
      'UPDATE log.event SET type = $2, data = $3, metadata = $4 WHERE id = $1',
      [payment.id, payment.type, payment.data, payment.metadata],
    )
  }
}

it('every reader accepts the genuine log', async () => {
  // The disputes of the test data are closed once more than they are opened.
  const { 'the reconciliation': _reconciliation, ...others } = readers
  for (const read of Object.values(others)) await read()
}, 60_000)

describe.each(Object.entries(forgeries))('%s of a payment', (_forgery, sql) => {
  it.each(Object.entries(readers))(
    'stops %s, and names the event and the command',
    async (_, read) => {
      const { id, stream, revision } = payment
      const failure = await whileForged(sql, () => read().catch((error: unknown) => error))
      expect(failure).toBeInstanceOf(ForgedEvent)
      const { message } = failure as ForgedEvent
      expect(message).toContain(`Event ${id} (`)
      expect(message).toContain(`revision ${revision} of '${stream}')`)
      expect(message).toContain('it has no MAC of this AUDIT_KEY')
      expect(message).toContain("Run 'billing events verify'")
    },
  )

  it('leaves its customer out of the replay of the controls', async () => {
    const leftOut = await whileForged(sql, async () => {
      const parts = { store, proof: proofByMac(macKey), codec: createKeylessCodec() }
      const run = runControls(controls, { knownAt: '2026-12-31', timeZone }, parts, now)
      for await (const _rows of run.rows());
      return run.leftOut()
    })
    expect(leftOut).toEqual(
      new Map([[streamOwner(payment.stream), expect.stringContaining('it has no MAC')]]),
    )
  })
})

describe('a payment that another program appended', () => {
  const commands = [
    ['report', 'revenue', '--format', 'csv'],
    ['report', 'revenue', '--format', 'csv', '--explain'],
    ['close', 'show', '2026-04'],
    ['audit-room', '--from', '2026-03', '--to', '2026-12', '--out', '/nowhere/room.gz'],
  ] as const

  beforeAll(async () => {
    const last = await store.readLast(payment.stream)
    const { previousHash: _hash, mac: _mac, ...metadata } = eventMetadata.parse(payment.metadata)
    const event = { ...payment, id: '11111111-2222-4333-8444-555555555555', metadata }
    const otherKey = macKeyOf(Buffer.alloc(32, 'another'))
    const { id, type, data } = event
    const forged = chain(
      payment.stream,
      last ?? undefined,
      [{ id, type, data, metadata }],
      otherKey,
    )
    await store.append(payment.stream, last?.revision ?? 'no-stream', forged)
  })

  it.each(commands)(
    'stops billing %s %s with one sentence',
    async (...args) => {
      const { code, stderr } = await runBilling(log.settings, ...args)
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^(.*\n)*Event 11111111-2222-4333-8444-555555555555 \(PaymentSucceeded, revision \d+ of 'billing-[^']+'\) cannot be read: it has no MAC of this AUDIT_KEY, so it was changed, or another program wrote it\. Run 'billing events verify', and repair the event from a backup: 'billing events repair <backup>'\.\n$/,
      )
    },
    60_000,
  )

  it('is part of a report if UNPROVEN_EVENTS accepts it', async () => {
    const settings = { ...log.settings, UNPROVEN_EVENTS: 'accept' }
    expect(await runBilling(settings, 'report', 'revenue', '--format', 'csv')).toMatchObject({
      code: 0,
    })
  }, 60_000)
})
