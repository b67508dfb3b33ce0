import { afterEach, beforeEach, expect, it } from '@jest/globals'
import fc from 'fast-check'
import pino from 'pino'
import { withoutProof } from '#services/event-store/audit/event-proof'
import { controlFold } from '#services/controls/control-fold'
import { maxParkedCustomers, parkedCustomers } from '#services/controls/parked-customers'
import { UnreadableEvent } from '#services/event-store/errors'
import type { StoredEvent } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import { controlledTypes } from '#services/finance/controls/controls'
import { streamOwner } from '#services/foundation/stream-names'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { interleaved, plantedViolations } from '../../support/data/controlled-events.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import {
  firingsById,
  startControlSide,
  type ControlSide,
} from '../../support/product/control-side.ts'
import { arbitraryLegalHistory } from '../../support/provider-model/legal-history.ts'
import { until } from '../../support/machine/until.ts'

const runBilling = billingInOneProcess()

let side: ControlSide

beforeEach(async () => {
  side = await startControlSide()
})
afterEach(() => side.close())

const fired = (count: number) =>
  until(async () => (await side.recorded()).length === count, `there are not ${count} firings`)
const parked = () => parkedCustomers(side.database.pool)
const silent = pino({ level: 'silent' })

it('fire for all other customers at a broken event, and for its customer once it is corrected', async () => {
  const [broken = [], ...others] = plantedViolations('usr_bad')
  const [first, ...behind] = broken
  if (first === undefined) throw new Error('no violation is planted')
  await side.append(first)
  for (const event of others.flat()) await side.append(event)
  const expected = others.length
  const { pool } = side.database
  const correct = await breakEvent({ pool, store: side.store }, first.stream, 0, { x: 2 })

  const stop = side.run()
  await fired(expected)
  expect(await parked()).toEqual([
    {
      userId: 'usr_bad_0',
      eventId: first.id,
      eventType: first.type,
      stream: first.stream,
      revision: 0,
      reason: expect.stringContaining('cannot be read'),
      parkedAt: expect.any(String),
      waitingEvents: 1,
    },
  ])
  // The second event of the customer breaks the rule of a control.
  for (const event of behind) await side.append(event)
  const [later] = plantedViolations('usr_later')
  for (const event of later ?? []) await side.append(event)
  await fired(expected + 1)

  await stop()
  side.run()
  side.run()
  await correct()
  await fired(expected + 2)
  expect(firingsById(await side.recorded())).toEqual(firingsById(await side.replayed()))
  expect(await parked()).toEqual([])
  const waiting = 'SELECT 1 FROM app.outbox WHERE done_at IS NULL'
  await until(async () => (await pool.query(waiting)).rowCount === 0, 'an effect waits')
  expect(await side.recorded()).toHaveLength(expected + 2)
})

it('name a parked customer to the operator, who retries, and leave the customer out of a replay', async () => {
  const [broken = [], ...others] = plantedViolations('usr_bad')
  for (const event of [...broken, ...others.flat()]) await side.append(event)
  const [first] = broken
  if (first === undefined) throw new Error('no violation is planted')
  const { pool, connectionString } = side.database
  const correct = await breakEvent({ pool, store: side.store }, first.stream, 0, { x: 2 })
  const stop = side.run()
  await fired(others.length)
  await stop()

  const directory = await temporaryDirectory()
  const settings = {
    DATA_DIR: directory.path,
    AUDIT_KEY: auditKey.toString('hex'),
    DATABASE_URL: connectionString,
  }
  const command = (...args: readonly string[]) => runBilling(settings, 'controls', ...args)
  const isParked = `usr_bad_0: parked since .* at ${first.type} \\(${first.stream}, revision 0, event ${first.id}\\); ${broken.length} events wait\\. .*cannot be read`
  expect(await command('parked')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${isParked}`)),
  })
  expect(await command('retry', 'usr_bad_0')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      new RegExp(`^The controls still cannot fold an event. ${isParked}`),
    ),
  })
  expect(await command('retry', 'usr_9')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "The controls have not parked 'usr_9'; nothing was changed. 'billing controls parked' lists the parked customers.\n",
  })
  const run = await command('run', '--format', 'json')
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The run lacks usr_bad_0 from this event on: .*cannot be read/),
  })
  const rows = await side.replayed()
  expect(JSON.parse(run.stdout)).toMatchObject({ rows })
  expect(firingsById(rows)).toEqual(firingsById(await side.recorded()))

  await correct()
  expect(await command('retry', 'usr_bad_0')).toMatchObject({
    code: 0,
    stdout: 'The controls have all events of usr_bad_0.\n',
  })
  expect(await command('parked')).toMatchObject({
    code: 0,
    stdout: 'The controls have parked no customer.\n',
  })
  side.run()
  await fired(others.length + 1)
  expect(firingsById(await side.recorded())).toEqual(firingsById(await side.replayed()))
  await directory.remove()
}, 120_000)

/**
 * A fold whose log breaks the payloads of the events `broken`. Its reads of a stream refuse those
 * of `refused`, as EventStoreDB refuses an event that is no JSON.
 */
function breakableFold(
  stored: readonly StoredEvent[],
  broken: ReadonlySet<string>,
  logId: string,
  refused: ReadonlySet<string> = new Set(),
) {
  const { pool } = side.database
  const read = (event: StoredEvent) => (broken.has(event.id) ? { ...event, data: { x: 2 } } : event)
  const store = {
    comparePositions: side.store.comparePositions,
    async readStream(stream: string, from = 0, count = Infinity) {
      const events = stored
        .filter((event) => event.stream === stream && event.revision >= from)
        .slice(0, count)
      const foreign = events.find(({ id }) => refused.has(id))
      if (foreign) throw new UnreadableEvent(foreign, 'it is no JSON object.')
      return events.map(read)
    },
  }
  const fold = controlFold({ store, proof: withoutProof, log: silent })
  return {
    position: () => fold.position(pool, logId),
    parked: () => fold.parked(pool, logId),
    choose: (events: readonly StoredEvent[]) =>
      onConnectionOf(pool, durableTransaction, (tx) => fold.choose(tx, events.map(read), logId)),
    async retryAll() {
      const chosen = []
      for (const key of await fold.parked(pool, logId))
        chosen.push(
          ...(await onConnectionOf(pool, durableTransaction, (tx) => fold.retry(tx, logId, key))),
        )
      return chosen
    },
  }
}

it('give the firings and the state of an undisturbed run after any events were broken and corrected', async () => {
  const legal = [1, 2].flatMap((n) =>
    fc.sample(arbitraryLegalHistory(`usr_legal_${n}`), { seed: n, numRuns: 1 }),
  )
  for (const event of interleaved([...legal, ...plantedViolations('usr_bad')], 12))
    await side.append(event)
  const handled = (await side.everyEvent()).filter(({ type }) =>
    [...controlledTypes].some((each) => each === type),
  )
  const { pool } = side.database
  const statesOf = async (logId: string) => {
    const { rows } = await pool.query<{ user_id: string; state: unknown }>(
      'SELECT user_id, state FROM app.control_state WHERE log_id = $1 ORDER BY user_id',
      [logId],
    )
    return rows
  }
  const undisturbed = breakableFold(handled, new Set(), 'undisturbed')
  await undisturbed.position()
  const expected = (await undisturbed.choose(handled)).map(({ id }) => id).sort()
  const states = await statesOf('undisturbed')
  expect(expected.length).toBeGreaterThan(0)

  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(handled.length - 1), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: handled.length }),
      fc.boolean(),
      async (indexes, batch, correctsEarly) => {
        const logId = `run ${(runs += 1)}`
        const broken = new Set(indexes.flatMap((index) => handled[index]?.id ?? []))
        const fold = breakableFold(handled, broken, logId)
        await pool.query('TRUNCATE app.control_firing')
        await fold.position()
        const chosen: string[] = []
        for (let first = 0; first < handled.length; first += batch) {
          chosen.push(...(await fold.choose(handled.slice(first, first + batch))).map((e) => e.id))
          const [oldest] = broken
          if (correctsEarly && oldest !== undefined) broken.delete(oldest)
          if (correctsEarly) chosen.push(...(await fold.retryAll()).map((e) => e.id))
        }
        expect(await fold.position()).toBe(handled.at(-1)?.position)
        for (const id of broken) {
          broken.delete(id)
          chosen.push(...(await fold.retryAll()).map((e) => e.id))
        }
        expect(await fold.parked()).toEqual([])
        expect(chosen.sort()).toEqual(expected)
        expect(await statesOf(logId)).toEqual(states)
        const { rows } = await pool.query('SELECT event_id FROM app.control_firing ORDER BY 1')
        expect(rows.map((row: { event_id: string }) => row.event_id).sort()).toEqual(expected)
      },
    ),
    { numRuns: 20 },
  )
}, 60_000)

it('wait at the next broken event while 100 customers are parked', async () => {
  const payments = Array.from({ length: maxParkedCustomers + 1 }, (_, n) => {
    const [[event] = []] = plantedViolations(`usr_${n}`)
    if (event === undefined) throw new Error('no violation is planted')
    return { ...event, revision: 0, position: String(n + 1), data: {}, metadata: {} }
  })
  const fold = breakableFold(payments, new Set(payments.map(({ id }) => id)), 'many')
  await fold.position()
  expect(await fold.choose(payments.slice(0, -1))).toEqual([])
  expect(await fold.parked()).toHaveLength(maxParkedCustomers)
  await expect(fold.choose(payments.slice(-1))).rejects.toThrow(
    'The controls park at most 100 customers, and one more cannot be folded',
  )
  expect(await fold.position()).toBe(String(maxParkedCustomers))
})

it('wait at an event of a newer release, and at a missing event park only its customer', async () => {
  const [first = [], second = []] = plantedViolations('usr_bad')
  for (const event of [...first, ...second]) await side.append(event)
  const [event, ...others] = await side.everyEvent()
  if (event === undefined) throw new Error('the log is empty')
  const newer = { ...event, metadata: { ...event.metadata, schemaVersion: 999 } }
  const fold = breakableFold(others, new Set(), 'newer')
  await fold.position()
  await expect(fold.choose([newer, ...others])).rejects.toThrow(NewerEvent)
  expect(await fold.parked()).toEqual([])
  expect(await fold.position()).toBeNull()

  // The log of this fold has no such event.
  expect(await fold.choose([{ ...event, data: {} }, ...others])).toHaveLength(1)
  expect(await fold.retryAll()).toEqual([])
  expect(await fold.parked()).toEqual([streamOwner(event.stream)])
})

it('retry the other customers if the stream of one cannot be read', async () => {
  const [[refused] = [], [corrected] = []] = ['usr_a', 'usr_b'].map(
    (userId) => plantedViolations(userId)[0] ?? [],
  )
  if (refused === undefined || corrected === undefined) throw new Error('no violation is planted')
  const events = [refused, corrected].map((event, n) => ({
    ...event,
    data: {},
    metadata: {},
    revision: 0,
    position: String(n + 1),
  }))
  const broken = new Set(events.map(({ id }) => id))
  const fold = breakableFold(events, broken, 'foreign', new Set([refused.id]))
  await fold.position()
  await fold.choose(events)
  expect(await fold.parked()).toHaveLength(2)
  expect(await fold.retryAll()).toEqual([])
  expect(await fold.parked()).toHaveLength(2)
})
