import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import pino from 'pino'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { systemClock } from '#services/foundation/clock'
import { startReactors } from '#services/reactors/run-reactor'
import { someEvent } from '../../support/data/some-event.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

let database: TestDatabase
let store: EventStore
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await store.close()
  await database.drop()
})

/** One process. Returns the ids of the performed effects and the sentences of its log. */
function run(masterKey: Buffer) {
  const performed: string[] = []
  const lines: string[] = []
  const effect = async ({ id }: { id: string }) => void performed.push(id)
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const codec = createCodec(createPersonalKeys(database.pool, masterKey))
  stops.push(
    startReactors(
      [{ name: 'greeter', handles: new Set(['SignedOut']), effect, options: { maxAttempts: 1 } }],
      { pool: database.pool, store, codec, clock: systemClock, log, pollMs: 20 },
    ),
  )
  return { performed, lines }
}

it('a reactor without the MASTER_KEY in use leaves an effect to another process and counts no attempt', async () => {
  const [former, rotated] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  await createPersonalKeys(database.pool, rotated).forWriting('usr_1')
  const id = randomUUID()
  await store.append('signIn-usr_1', 'no-stream', [someEvent({ id, type: 'SignedOut', data: {} })])
  const old = run(former)
  await until(() => old.lines.length > 0, 'the reactor logs nothing')
  expect(old.lines.join('')).toContain('The effect is left to a process that has the key')
  expect((await database.pool.query('SELECT attempts, dead_at FROM app.outbox')).rows).toEqual([
    { attempts: 0, dead_at: null },
  ])
  const restarted = run(rotated)
  await until(() => restarted.performed.length === 1, 'the effect is missing')
  expect([old.performed, restarted.performed]).toEqual([[], [id]])
})
