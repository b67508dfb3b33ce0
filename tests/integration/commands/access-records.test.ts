import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import { createAccessRecords, type AccessRecords } from '#services/commands/access-records'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { adminAccessStream } from '#services/foundation/stream-names'
import { testContext } from '../../support/data/test-context.ts'
import { faultyStore } from '../../support/event-store/faulty-store.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { createFaultPoint } from '../../support/product/fault-point.ts'

const fault = createFaultPoint()
const start = new Date('2026-03-31T23:58:00.000Z').getTime()
const minuteMs = 60_000
let nowMs = start
const clock = { now: () => new Date(nowMs) }

let database: TestDatabase
let store: EventStore
let commands: CommandHandler
let accesses: AccessRecords
let event: AdminAccessEvent
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const codec = createCodec(createPersonalKeys(database.pool, randomBytes(32)))
  commands = createCommandHandler({ store: faultyStore(store, fault), codec, clock, macKey })
}, 60_000)
afterAll(async () => {
  await store?.close()
  await database?.drop()
})
beforeEach(() => {
  nowMs = start
  fault.heal()
  accesses = createAccessRecords({ commands, clock })
  event = exportOf(`adm_${randomUUID()}`)
})

const exportOf = (adminId: string): AdminAccessEvent => ({
  type: 'DataExported',
  data: { adminId, list: 'users', format: 'csv', rows: 7, filters: {}, isSearched: false },
})
const access = (give: () => unknown = () => undefined) =>
  accesses.recordThen(event, testContext(randomUUID()), give)
/** The times of the records of the event, in the order of the log. */
async function recordsOf({ data }: AdminAccessEvent) {
  const found: string[] = []
  for await (const page of store.readAll(null))
    for (const { data: stored, metadata } of page)
      if (isDeepStrictEqual(stored, data)) found.push(z.string().parse(metadata['occurredAt']))
  return found
}
async function loseTheAnswerOfTheAppend() {
  // The first operation reads the end of the stream.
  fault.arm({ parts: ['store'], moment: 'after', lasts: true }, 2)
  await expect(access()).rejects.toThrow('the test stopped it')
  fault.heal()
}

it('an access is recorded before it is given', async () => {
  let found: readonly string[] = []
  await access(async () => (found = await recordsOf(event)))
  expect(found).toHaveLength(1)
})

it('two accesses that were given have two records', async () => {
  await access()
  await access()
  expect(await recordsOf(event)).toHaveLength(2)
})

it('an access is counted once if the answer to its append was lost', async () => {
  await loseTheAnswerOfTheAppend()
  expect(await recordsOf(event)).toHaveLength(1)
  await access()
  expect(await recordsOf(event)).toHaveLength(1)
})

it('an access is counted once if it failed after its record, and the next one is another', async () => {
  const gone = new Error('The provider does not answer.')
  await expect(access(() => Promise.reject(gone))).rejects.toBe(gone)
  await access()
  expect(await recordsOf(event)).toHaveLength(1)
  await access()
  expect(await recordsOf(event)).toHaveLength(2)
})

it('of two repeats at once, one has the record of the failed access', async () => {
  await loseTheAnswerOfTheAppend()
  await Promise.all([access(), access()])
  expect(await recordsOf(event)).toHaveLength(2)
})

it('a refused use does not replace the record of an access that failed', async () => {
  const using = (commandId: string, use: () => Promise<Error | null>, give: () => unknown) =>
    accesses.recordThen(event, testContext(commandId), give, { key: 'approval', use })
  const refusal = new Error('The approval is used.')
  let refuse: (refusal: Error) => void = () => {}
  const refused = new Promise<Error>((resolve) => {
    refuse = resolve
  })
  const late = using(
    randomUUID(),
    () => refused,
    () => undefined,
  )
  const gone = new Error('The client is gone.')
  const first = using(
    randomUUID(),
    async () => null,
    () => Promise.reject(gone),
  )
  await expect(first).rejects.toBe(gone)
  refuse(refusal)
  await expect(late).rejects.toBe(refusal)
  await using(
    randomUUID(),
    async () => null,
    () => undefined,
  )
  expect(await recordsOf(event)).toHaveLength(1)
})

it('another access is no repeat', async () => {
  await loseTheAnswerOfTheAppend()
  const failed = event
  event = exportOf(`adm_${randomUUID()}`)
  await access()
  expect(await recordsOf(failed)).toHaveLength(1)
  expect(await recordsOf(event)).toHaveLength(1)
})

it('a repeat in the next month has the record of the month before', async () => {
  await loseTheAnswerOfTheAppend()
  nowMs += 14 * minuteMs
  await access()
  expect(await recordsOf(event)).toEqual(['2026-03-31T23:58:00.000Z'])
})

it.each([15, -15])('after %s minutes an access has a record with its own time', async (minutes) => {
  await loseTheAnswerOfTheAppend()
  nowMs += minutes * minuteMs
  await access()
  expect(await recordsOf(event)).toEqual([
    new Date(start).toISOString(),
    new Date(nowMs).toISOString(),
  ])
})

it('a repeat is recognised behind 60 later events of the stream', async () => {
  await loseTheAnswerOfTheAppend()
  for (let n = 0; n < 60; n += 1)
    await commands.record({
      stream: adminAccessStream(clock.now().toISOString()),
      event: {
        type: 'AdminSignInRefused',
        data: { reason: 'wrong-password' },
        occurredAt: clock.now().toISOString(),
      },
      context: testContext(randomUUID()),
    })
  await access()
  expect(await recordsOf(event)).toHaveLength(1)
}, 60_000)
