import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { countFirings } from '#services/controls/firings'
import type { StoredEvent } from '#services/event-store/event-store'
import { controlledTypes, controls, controlsVersion } from '#services/finance/controls/controls'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import type { ReportRow } from '#services/finance/reports/report-types'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { interleaved, plantedViolations } from '../../support/data/controlled-events.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import {
  firingsById,
  startControlSide,
  type ControlSide,
} from '../../support/product/control-side.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { arbitraryLegalHistory } from '../../support/provider-model/legal-history.ts'
import { until } from '../../support/machine/until.ts'

const runBilling = billingInOneProcess()

let side: ControlSide

beforeAll(async () => {
  side = await startControlSide()
})
afterAll(() => side.close())

const firingIds = (rows: readonly ReportRow[]) => rows.map((row) => row['firing_id'])

it('records the firings of a replay, each once, across a crash, restarts and two processes', async () => {
  const legal = [1, 2, 3].flatMap((n) =>
    fc.sample(arbitraryLegalHistory(`usr_legal_${n}`), { seed: n, numRuns: 1 }),
  )
  const violations = plantedViolations('usr_bad')
  const log = interleaved([...legal, ...violations], 12)
  const half = Math.floor(log.length / 2)

  // An old log: the first half is there before the first start.
  for (const event of log.slice(0, half)) await side.append(event)
  expect((await side.replayed()).length).toBeGreaterThan(0)

  // The first process records a firing and stops before it notes so.
  let crash: () => void = () => undefined
  const crashed = new Promise<void>((resolve) => (crash = resolve))
  const stopFirst = side.run(async (request) => {
    await side.commands.handle(request)
    crash()
    throw new Error('The process was killed.')
  })
  await crashed
  await stopFirst()
  await side.database.pool.query('UPDATE app.outbox SET next_attempt_at = now()')

  const stopSecond = side.run()
  side.run()
  for (const [index, event] of log.slice(half).entries()) {
    await side.append(event)
    if (index === 20) await stopSecond()
  }
  await until(
    async () => (await side.recorded()).length === violations.length,
    'a firing is missing',
  )

  const rows = await side.replayed()
  expect(firingsById(await side.recorded())).toEqual(firingsById(rows))
  expect(rows.map((row) => String(row['event_id'])).sort()).toEqual(
    violations.map((events) => String(events.at(-1)?.id)).sort(),
  )
  expect(await countFirings(side.database.pool)).toEqual(
    controls
      .map(({ name }) => ({ control: name, firings: 1 }))
      .sort((a, b) => (a.control < b.control ? -1 : 1)),
  )
  const waiting = 'SELECT 1 FROM app.outbox WHERE done_at IS NULL'
  await until(
    async () => (await side.database.pool.query(waiting)).rowCount === 0,
    'an effect waits',
  )
  expect(await side.recorded()).toHaveLength(violations.length)
})

it('replays one control, and what was known at a time', async () => {
  const all = await side.replayed()
  for (const control of controls) {
    const own = all.filter((row) => row['control'] === control.name)
    expect(await side.replayed({}, [control])).toEqual(own)
  }
  const [first] = all.map((row) => String(row['fired_at'])).sort()
  expect(firingIds(await side.replayed({ knownAt: first ?? '' }))).toEqual(
    firingIds(all.filter((row) => String(row['fired_at']) <= String(first))),
  )
  expect(await side.replayed({ knownAt: '2020-01-01T00:00:00.000Z' })).toEqual([])
})

it('is a command that lists and replays, and refuses a wrong argument with exit code 2', async () => {
  const directory = await temporaryDirectory()
  const settings = {
    DATA_DIR: directory.path,
    AUDIT_KEY: auditKey.toString('hex'),
    DATABASE_URL: side.database.connectionString,
  }
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
  expect(JSON.parse(json.stdout)).toMatchObject({ report: 'controls', rows: await side.replayed() })
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
  await side.stop()
  const handled = (await side.everyEvent()).filter(({ type }) =>
    [...controlledTypes].some((each) => each === type),
  )
  const logId = await side.store.identity()
  const [now, next] = [side.fold(), side.fold(controlsVersion + 1)]
  const chosenBy = (fold: typeof now, events: readonly StoredEvent[]) =>
    onConnectionOf(side.database.pool, durableTransaction, (tx) => fold.choose(tx, events, logId))

  expect(await now.position(side.database.pool, logId)).toBe(handled.at(-1)?.position)
  expect(await chosenBy(now, handled)).toEqual([])
  expect(await now.position(side.database.pool, 'a copy of the log')).toBeNull()

  expect(await next.position(side.database.pool, logId)).toBeNull()
  const chosen = [
    ...(await chosenBy(next, handled.slice(0, 40))),
    // Another process read some of the same events.
    ...(await chosenBy(next, handled.slice(20))),
  ]
  expect(chosen.map(({ id }) => id).sort()).toEqual(
    (await side.replayed()).map((row) => String(row['event_id'])).sort(),
  )
  await expect(chosenBy(now, handled)).rejects.toThrow('A later version of the controls')
})
