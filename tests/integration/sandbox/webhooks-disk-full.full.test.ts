import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Pool } from 'pg'
import { openDatabase, type Database } from '#services/sandbox/store/database'
import { startDeliveries, type Deliveries } from '#services/sandbox/webhooks/deliver'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import {
  startReceiver,
  webhookSecret,
  type WebhookReceiver,
} from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

let testDatabase: TestDatabase
let database: Database
let receiver: WebhookReceiver
let deliveries: Deliveries | undefined
const lines: { readonly sentence: string; readonly facts: object }[] = []
const log = { warn: (facts: object, sentence: string) => void lines.push({ facts, sentence }) }
/** The pauses that the deliveries request. Each pause ends immediately. */
const pauses: number[] = []
const sleep = async (milliseconds: number): Promise<void> => {
  pauses.push(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase(testDatabase.connectionString, 10_000, () => undefined)
  receiver = await startReceiver()
  lines.length = 0
  pauses.length = 0
})
afterEach(async () => {
  await deliveries?.close()
  deliveries = undefined
  await receiver.close()
  await database.close()
  await testDatabase.drop()
})

const endpointsOf = ({ url }: WebhookReceiver) => ({
  platform: { url, secret: webhookSecret },
  connect: null,
})

function start(): void {
  deliveries = startDeliveries(database.pool, endpointsOf(receiver), log, {
    sleep,
    random: () => 0,
  })
}

async function owe(pool: Pool, id: string): Promise<void> {
  const event = { id, object: 'event', type: 'customer.created', data: { object: {} } }
  await pool.query(`INSERT INTO sandbox.object (id, kind, data) VALUES ($1, 'event', $2)`, [
    id,
    JSON.stringify(event),
  ])
  await pool.query(
    'INSERT INTO sandbox.delivery (event_id, first_due_at, next_attempt_at) VALUES ($1, now(), now())',
    [id],
  )
}

const outcomes = async () =>
  (
    await database.pool.query<{ outcome: string; attempts: number }>(
      'SELECT outcome, attempts FROM sandbox.delivery ORDER BY id',
    )
  ).rows

/** The pauses of failed database writes. The pauses between reads of due webhooks are shorter. */
const retryPauses = () => pauses.filter((milliseconds) => milliseconds >= 1_000)
const isSpinning = () => receiver.attempts() > 20

describe('webhooks while the disk of the sandbox’s database is full', () => {
  it('are sent once each, and recording them is retried with backoff of at most 10 s', async () => {
    const accept = await refuseWrites(database.pool, 'UPDATE', 'sandbox.delivery')
    await owe(database.pool, 'evt_1')
    start()
    await until(() => retryPauses().length >= 8 || isSpinning(), 'recording was not retried')
    expect(receiver.attempts()).toBe(1)
    expect(retryPauses().slice(0, 8)).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000,
    ])

    await accept()
    await until(
      async () => (await outcomes()).every(({ outcome }) => outcome === 'delivered'),
      'the webhook is still pending',
    )
    expect([receiver.attempts(), await outcomes()]).toEqual([
      1,
      [{ outcome: 'delivered', attempts: 1 }],
    ])
  })

  it('cause one log line with the reason at the start and one at the end, for any number of webhooks', async () => {
    const accept = await refuseWrites(database.pool, 'UPDATE', 'sandbox.delivery')
    for (let n = 0; n < 6; n += 1) await owe(database.pool, `evt_${n}`)
    start()
    await until(() => retryPauses().length >= 20 || isSpinning(), 'recording was not retried')
    // All deliveries are in progress at once, and none is sent again before it is recorded.
    expect(receiver.attempts()).toBe(6)
    expect(lines).toEqual([
      {
        sentence: 'Recording a webhook delivery failed; retrying with backoff.',
        facts: expect.objectContaining({
          failure: expect.objectContaining({ errorCode: '53100' }),
        }),
      },
    ])

    await accept()
    await until(
      async () => (await outcomes()).every(({ outcome }) => outcome === 'delivered'),
      'webhooks are still pending',
    )
    await until(() => lines.length >= 2, 'the end was not logged')
    expect(receiver.attempts()).toBe(6)
    expect(lines.slice(1).map(({ sentence }) => sentence)).toEqual([
      'Webhook deliveries are recorded again.',
    ])
  })

  it('that the product refuses are retried later with the backoff of a refused webhook', async () => {
    const accept = await refuseWrites(database.pool, 'UPDATE', 'sandbox.delivery')
    receiver.answer(503)
    await owe(database.pool, 'evt_1')
    start()
    await until(() => retryPauses().length >= 3 || isSpinning(), 'recording was not retried')
    expect(receiver.attempts()).toBe(1)
    receiver.answer(200)
    await accept()
    await until(
      async () => (await outcomes()).every(({ outcome }) => outcome === 'delivered'),
      'the webhook is still pending',
    )
    expect(await outcomes()).toEqual([{ outcome: 'delivered', attempts: 2 }])
  })

  it('are read with backoff while the database cannot be read', async () => {
    await database.pool.query('ALTER TABLE sandbox.delivery RENAME TO elsewhere')
    start()
    await until(() => retryPauses().length >= 3, 'there was no retry')
    expect(pauses).toEqual(retryPauses())
    expect(retryPauses().slice(0, 3)).toEqual([1_000, 2_000, 4_000])
    expect(lines.map(({ sentence }) => sentence)).toEqual([
      'Reading the due webhooks failed; retrying with backoff.',
    ])

    await database.pool.query('ALTER TABLE sandbox.elsewhere RENAME TO delivery')
    await owe(database.pool, 'evt_1')
    await receiver.received(1)
    expect(lines.map(({ sentence }) => sentence).slice(1)).toEqual([
      'The due webhooks are read again.',
    ])
  })

  it('do not delay the stop', async () => {
    await refuseWrites(database.pool, 'UPDATE', 'sandbox.delivery')
    await owe(database.pool, 'evt_1')
    deliveries = startDeliveries(database.pool, endpointsOf(receiver), log, {
      sleep: (milliseconds, signal) => {
        pauses.push(milliseconds)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
      random: () => 0,
    })
    await until(() => retryPauses().length >= 1, 'recording was not retried')
    await deliveries.close()
    // The next start sends the webhook again.
    expect(await outcomes()).toEqual([{ outcome: 'pending', attempts: 0 }])
  })
})
