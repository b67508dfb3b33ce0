import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { parseClientId, parseReceivableId, parseUserId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createStreamCache } from '#services/commands/stream-cache'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseTimeZone } from '#services/finance/time-zone'
import { createReceivables } from '#services/receivables/receivables-service'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const [merchantId, intruder] = [parseUserId('usr_alder'), parseUserId('usr_intruder')]

let database: TestDatabase
let store: EventStore
/** The events that the store returned since the last look. */
let events = 0
beforeAll(async () => {
  database = await createTestDatabase()
  const connected = createPostgresEventStore({ connectionString: database.connectionString })
  store = {
    ...connected,
    readStream: async (...range) => {
      const found = await connected.readStream(...range)
      events += found.length
      return found
    },
  }
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

it('the time of an id of another merchant does not depend on what happened to it', async () => {
  const keys = fixedKeys({})
  const clock = { now: () => new Date('2026-11-25T18:12:00.000Z') }
  const zone = parseTimeZone('America/Los_Angeles')
  if (zone === null) throw new Error('The time zone is unknown.')
  const receivables = createReceivables({
    commands: createCommandHandler({
      store,
      codec: createCodec(keys),
      clock,
      macKey,
      cache: createStreamCache({ keys }),
    }),
    keys,
    clock,
    defaultTimeZone: async () => zone,
    isErased: async () => false,
  })
  const { clientId } = await receivables.addClient(
    merchantId,
    samplePayloads.ClientAdded.details,
    testContext(),
  )
  const { details } = samplePayloads.ReceivableAdded
  const { receivableId } = await receivables.addReceivable(
    merchantId,
    { clientId, number: 'AD-1', currency: 'usd', details },
    testContext(),
  )
  for (const reason of ['One', 'Two', 'Three']) {
    const hold = { reason, until: null }
    await receivables.actOnReceivable(
      merchantId,
      receivableId,
      { type: 'hold-reminders', ...hold },
      testContext(),
    )
    await receivables.actOnClient(
      merchantId,
      clientId,
      { type: 'hold-client', ...hold },
      testContext(),
    )
  }

  const costOf = async (ids: { clientId: typeof clientId; receivableId: typeof receivableId }) => {
    events = 0
    expect(await receivables.clientOf(intruder, ids.clientId)).toBeNull()
    expect(await receivables.receivableOf(intruder, ids.receivableId)).toBeNull()
    return events
  }
  const none = {
    clientId: parseClientId('client_00000000000000000000000000000000'),
    receivableId: parseReceivableId('receivable_00000000-0000-5000-8000-000000000000'),
  }
  // The last event of each stream, of which the folded rest is in memory.
  expect(await costOf({ clientId, receivableId })).toBe(2)
  expect(await costOf(none)).toBe(0)
  expect((await receivables.receivableOf(merchantId, receivableId))?.events).toHaveLength(4)
})
