import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import pino from 'pino'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { controlFold } from '#services/controls/control-fold'
import { controlReactor } from '#services/controls/control-reactor'
import { countFirings } from '#services/controls/firings'
import { chain } from '#services/event-store/audit/hash-chain'
import {
  createCodec,
  createKeylessCodec,
  type EventCodec,
} from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { Control, ControlledEvent } from '#services/finance/controls/control'
import { controlledTypes, controls } from '#services/finance/controls/controls'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { systemClock } from '#services/foundation/clock'
import { streamOwner } from '#services/foundation/stream-names'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { startReactors } from '#services/reactors/run-reactor'
import { runControls, type ControlRunParameters } from '#services/reports/control-run'
import type { ReportRow } from '#services/finance/reports/report-types'
import { interleaved, plantedViolations } from '../../support/data/controlled-events.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { until } from '../../support/product/sandbox.ts'
import { arbitraryLegalHistory } from '../../support/provider-model/legal-history.ts'

let database: TestDatabase
let store: EventStore
let codec: EventCodec
let commands: CommandHandler
let timeZone: TimeZone
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  const utc = parseTimeZone('UTC')
  if (utc === null) throw new Error('Node has no time zone data')
  timeZone = utc
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
})
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await store.close()
  await database.drop()
})

/** Appends the event with its id and its times. */
async function append({ id, stream, type, data, metadata }: ControlledEvent): Promise<void> {
  const last = await store.readLast(stream)
  const encoded = await codec.encode(stream, { id, type, data })
  const { previousHash: _, mac: __, ...rest } = metadata
  const event = { id, type, data: encoded.data, metadata: rest }
  await store.append(
    stream,
    last?.revision ?? 'no-stream',
    chain(stream, last ?? undefined, [event], macKey),
  )
}

/** One process. `handle` stands for the command handler of the process. */
function run(handle: CommandHandler['handle'] = commands.handle) {
  const { pool } = database
  const log = pino({ level: 'silent' })
  const reactor = controlReactor({ commands: { handle }, pool, store, log })
  const stop = startReactors([reactor], {
    pool,
    store,
    codec,
    clock: systemClock,
    log,
    pollMs: 20,
  })
  stops.push(stop)
  return stop
}

async function replayed(
  parameters: Partial<ControlRunParameters> = {},
  chosen: readonly Control[] = controls,
): Promise<readonly ReportRow[]> {
  const source = { store, codec: createKeylessCodec() }
  const file = runControls(chosen, { knownAt: null, timeZone, ...parameters }, source, '')
  const rows: ReportRow[] = []
  for await (const batch of file.rows()) rows.push(...batch)
  return rows
}

async function everyEvent(): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const page of store.readAll(null)) events.push(...page)
  return events
}

/** The recorded firings, as the rows of a replay. */
async function recorded(): Promise<readonly Partial<ReportRow>[]> {
  const fired = (await everyEvent()).filter(({ type }) => type === 'ControlFired')
  return (await createKeylessCodec().decode(fired)).flatMap((event) =>
    event.type === 'ControlFired'
      ? [
          {
            firing_id: event.id,
            user_id: streamOwner(event.stream),
            control: event.data.control,
            event_id: event.data.eventId,
            sentence: event.data.sentence,
            fired_at: event.metadata.occurredAt,
          },
        ]
      : [],
  )
}

/** Without the column that an event ControlFired lacks. */
const byId = (rows: readonly Partial<ReportRow>[]) =>
  rows
    .map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'occurred_at')),
    )
    .sort((a, b) => String(a['firing_id']).localeCompare(String(b['firing_id'])))
const firingIds = (rows: readonly ReportRow[]) => rows.map((row) => row['firing_id'])

it('records the firings of a replay, each once, across a crash, restarts and two processes', async () => {
  const legal = [1, 2, 3].flatMap((n) =>
    fc.sample(arbitraryLegalHistory(`usr_legal_${n}`), { seed: n, numRuns: 1 }),
  )
  const violations = plantedViolations('usr_bad')
  const log = interleaved([...legal, ...violations], 12)
  const half = Math.floor(log.length / 2)

  // An old log: the first half is there before the first start.
  for (const event of log.slice(0, half)) await append(event)
  expect((await replayed()).length).toBeGreaterThan(0)

  // The first process records a firing and stops before it notes so.
  let crash: () => void = () => undefined
  const crashed = new Promise<void>((resolve) => (crash = resolve))
  const stopFirst = run(async (request) => {
    await commands.handle(request)
    crash()
    throw new Error('The process was killed.')
  })
  await crashed
  await stopFirst()
  await database.pool.query('UPDATE app.outbox SET next_attempt_at = now()')

  const stopSecond = run()
  run()
  for (const [index, event] of log.slice(half).entries()) {
    await append(event)
    if (index === 20) await stopSecond()
  }
  await until(async () => (await recorded()).length === violations.length, 'a firing is missing')

  const rows = await replayed()
  expect(byId(await recorded())).toEqual(byId(rows))
  expect(rows.map((row) => String(row['event_id'])).sort()).toEqual(
    violations.map((events) => String(events.at(-1)?.id)).sort(),
  )
  expect(await countFirings(database.pool)).toEqual(
    controls
      .map(({ name }) => ({ control: name, firings: 1 }))
      .sort((a, b) => (a.control < b.control ? -1 : 1)),
  )
  const waiting = 'SELECT 1 FROM app.outbox WHERE done_at IS NULL'
  await until(async () => (await database.pool.query(waiting)).rowCount === 0, 'an effect waits')
  expect(await recorded()).toHaveLength(violations.length)
})

it('replays one control, and what was known at a time', async () => {
  const all = await replayed()
  for (const control of controls) {
    const own = all.filter((row) => row['control'] === control.name)
    expect(await replayed({}, [control])).toEqual(own)
  }
  const [first] = all.map((row) => String(row['fired_at'])).sort()
  expect(firingIds(await replayed({ knownAt: first ?? '' }))).toEqual(
    firingIds(all.filter((row) => String(row['fired_at']) <= String(first))),
  )
  expect(await replayed({ knownAt: '2020-01-01T00:00:00.000Z' })).toEqual([])
})

it('is a command that lists and replays, and refuses a wrong argument with exit code 2', async () => {
  const directory = await temporaryDirectory()
  const settings = { DATA_DIR: directory.path, DATABASE_URL: database.connectionString }
  const controlsCommand = (...args: readonly string[]) => runBilling(settings, 'controls', ...args)
  const [list, json, late, ...refused] = await Promise.all([
    controlsCommand('list'),
    controlsCommand('run', '--format', 'json'),
    controlsCommand(
      'run',
      '--format',
      'csv',
      '--control',
      'period-paid-twice',
      '--known-at',
      '2020-01-01',
    ),
    controlsCommand('run', '--control', 'nothing'),
    controlsCommand('run', '--known-at', 'soon'),
    controlsCommand('run', '--format', 'xlsx'),
  ])
  expect([list, json, late].map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0])
  expect(
    list.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ', 1)[0]),
  ).toEqual(controls.map(({ name }) => name))
  expect(JSON.parse(json.stdout)).toMatchObject({ report: 'controls', rows: await replayed() })
  expect(late.stdout).toBe('fired_at,control,user_id,sentence,occurred_at,event_id,firing_id\r\n')
  expect(refused.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
    [2, ''],
  ])
  expect(refused.map(({ stderr }) => stderr.split('.')[0])).toEqual([
    "There is no control 'nothing'",
    '--known-at soon is no time',
    "There is no format 'xlsx'",
  ])
  await directory.remove()
}, 120_000)

it('folds the log again for a new version of the controls, and refuses the state of the old one', async () => {
  await Promise.all(stops.map((stop) => stop()))
  const handled = (await everyEvent()).filter(({ type }) =>
    controlledTypes.some((each) => each === type),
  )
  const logId = await store.identity()
  const [now, next] = [controlFold(store), controlFold(store, 2)]
  const chosenBy = (fold: typeof now, events: readonly StoredEvent[]) =>
    onConnectionOf(database.pool, durableTransaction, (tx) => fold.choose(tx, events, logId))

  expect(await now.position(database.pool, logId)).toBe(handled.at(-1)?.position)
  expect(await chosenBy(now, handled)).toEqual([])
  expect(await now.position(database.pool, 'a copy of the log')).toBeNull()

  expect(await next.position(database.pool, logId)).toBeNull()
  const chosen = [
    ...(await chosenBy(next, handled.slice(0, 40))),
    // Another process read some of the same events.
    ...(await chosenBy(next, handled.slice(20))),
  ]
  expect(chosen.map(({ id }) => id).sort()).toEqual(
    (await replayed()).map((row) => String(row['event_id'])).sort(),
  )
  await expect(chosenBy(now, handled)).rejects.toThrow('A later version of the controls')
})
