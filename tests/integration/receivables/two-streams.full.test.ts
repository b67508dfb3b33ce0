import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { DomainEvent } from '#contracts/events/catalogue'
import { parseUserId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseTimeZone } from '#services/finance/time-zone'
import { clientDecider } from '#services/receivables/client-decider'
import { canBeFollowed, followed as followUps } from '#services/receivables/follow-ups'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { creditIdOf } from '#services/receivables/receivable-id'
import { createReceivables } from '#services/receivables/receivables-service'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { crashingStore } from '../../support/event-store/crashing-store.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { Killed } from '../../support/postgres/crashing-pool.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'

const merchantId = parseUserId('usr_alder')
const clock = { now: () => new Date('2026-11-25T18:12:00.000Z') }
const today = day('2026-11-25')
const pacific = parseTimeZone('America/Los_Angeles')
const keys = fixedKeys({})
const codec = createCodec(keys)

let database: TestDatabase
let store: EventStore
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

/** A process of the product on a store. */
function process(on: EventStore) {
  const commands = createCommandHandler({ store: on, codec, clock, macKey })
  if (pacific === null) throw new Error('The time zone is unknown.')
  return {
    commands,
    receivables: createReceivables({
      commands,
      keys,
      clock,
      defaultTimeZone: async () => pacific,
      isErased: async () => false,
    }),
  }
}

/** A client with an invoice of $100.00 that a payment of $120.00 has paid, and one of $15.00. */
async function given() {
  const { receivables, commands } = process(store)
  const details = { ...samplePayloads.ClientAdded.details }
  const { clientId } = await receivables.addClient(merchantId, details, testContext())
  const add = (number: string, amount: number) =>
    receivables.addReceivable(
      merchantId,
      {
        clientId,
        number,
        currency: 'usd',
        details: { ...samplePayloads.ReceivableAdded.details, amount },
      },
      testContext(),
    )
  const { receivableId: first } = await add('AD-1', 10_000)
  const { receivableId: second } = await add('AD-2', 1_500)
  const pay = {
    type: 'record-payment',
    payment: { paymentId: 'payment_1', date: today, amount: 12_000, method: 'check', note: null },
    openSeen: 10_000,
    surplusBecomesCredit: true,
    isEstimated: false,
  } as const
  const apply = {
    type: 'apply-credit',
    creditId: creditIdOf('payment_1'),
    applicationId: 'application_1',
    receivableId: second,
    currency: 'usd',
    amount: 2_000,
  } as const
  const reverse = {
    type: 'reverse-payment',
    paymentId: 'payment_1',
    why: 'returned',
    date: today,
    note: null,
    creditIsCanceled: false,
  } as const
  const takeBack = { type: 'take-credit-back', applicationId: 'application_1' } as const
  const figures = async () => {
    const client = await commands.load({ decider: clientDecider, stream: clientStream(clientId) })
    const open = await Promise.all(
      [first, second].map(async (id) => {
        const { state } = await commands.load({
          decider: receivableDecider,
          stream: receivableStream(id),
        })
        return state.kind === 'none' ? null : openOf(state)
      }),
    )
    const credit =
      client.state.kind !== 'added' ? undefined : client.state.credits.get(creditIdOf('payment_1'))
    return { open, credit: credit?.left ?? null }
  }
  const events = async () => {
    const read = await Promise.all([
      commands.loadEvents({ decider: clientDecider, stream: clientStream(clientId) }),
      commands.loadEvents({ decider: receivableDecider, stream: receivableStream(first) }),
      commands.loadEvents({ decider: receivableDecider, stream: receivableStream(second) }),
    ])
    return read.flat()
  }
  return { clientId, first, second, pay, apply, reverse, takeBack, figures, events }
}

type Given = Awaited<ReturnType<typeof given>>
type ActName = 'pay' | 'apply' | 'reverse' | 'takeBack'
type Receivables = ReturnType<typeof process>['receivables']

/** The acts that concern two streams, what came before, and the figures afterwards. */
const acts: Readonly<
  Record<
    string,
    {
      readonly before: readonly ActName[]
      readonly act: ActName
      readonly after: { readonly open: readonly number[]; readonly credit: number }
    }
  >
> = {
  'a payment above what is open': {
    before: [],
    act: 'pay',
    after: { open: [0, 1_500], credit: 2_000 },
  },
  'a credit that is more than the invoice': {
    before: ['pay'],
    act: 'apply',
    after: { open: [0, 0], credit: 500 },
  },
  'the reversal of a payment with a credit': {
    before: ['pay'],
    act: 'reverse',
    after: { open: [10_000, 1_500], credit: 0 },
  },
  'a credit that is taken back from the invoice that it paid': {
    before: ['pay', 'apply'],
    act: 'takeBack',
    after: { open: [0, 1_500], credit: 2_000 },
  },
  'the reversal of a payment whose credit was used and taken back': {
    before: ['pay', 'apply', 'takeBack'],
    act: 'reverse',
    after: { open: [10_000, 1_500], credit: 0 },
  },
}

function send(receivables: Receivables, it: Given, act: ActName, id: string) {
  const context = { ...testContext(), commandId: id }
  return act === 'apply'
    ? receivables.actOnClient(merchantId, it.clientId, it.apply, context)
    : receivables.actOnReceivable(
        merchantId,
        act === 'takeBack' ? it.second : it.first,
        it[act],
        context,
      )
}

/** What the reactor does with every event of the streams, in any order and twice. */
async function followAll(receivables: Receivables, events: readonly DomainEvent[]): Promise<void> {
  const followed = events.filter(
    ({ type, data }) =>
      [...followUps.folds].some((each) => each === type) && canBeFollowed({ type, data }),
  )
  for (const event of [...followed, ...followed.reverse()])
    await receivables.follow(event as ClientEvent | ReceivableEvent, {
      ...testContext(),
      commandId: `reactor ${randomUUID()}`,
    })
}

describe.each(Object.entries(acts))('%s', (_name, { before, act, after }) => {
  it('is complete in one call, and its repeats change nothing', async () => {
    const it = await given()
    const { receivables } = process(store)
    for (const each of before) await send(receivables, it, each, `${each} ${it.clientId}`)
    const id = randomUUID()
    expect(await send(receivables, it, act, id)).toMatchObject({ kind: 'accepted' })
    expect(await it.figures()).toEqual(after)
    const events = await it.events()
    await send(receivables, it, act, id)
    await followAll(receivables, events as readonly DomainEvent[])
    expect(await it.events()).toHaveLength(events.length)
  })

  it.each([1, 2, 3].flatMap((append) => [[append, 'before'] as const, [append, 'after'] as const]))(
    'is completed by the reactor if the process is killed at append %i, %s it',
    async (append, moment) => {
      const it = await given()
      const { receivables } = process(store)
      for (const each of before) await send(receivables, it, each, `${each} ${it.clientId}`)
      const figuresBefore = await it.figures()
      const killed = process(crashingStore(store, append, moment)).receivables
      const outcome = await send(killed, it, act, randomUUID()).catch((error: unknown) => error)
      // The act has fewer appends than this.
      if (!(outcome instanceof Killed)) return expect(await it.figures()).toEqual(after)
      for (let round = 0; round < 3; round += 1)
        await followAll(receivables, (await it.events()) as readonly DomainEvent[])
      expect(await it.figures()).toEqual(
        append === 1 && moment === 'before' ? figuresBefore : after,
      )
    },
  )
})

describe('fifty parallel uses of one credit', () => {
  it('use it up once', async () => {
    const it = await given()
    const { receivables } = process(store)
    await send(receivables, it, 'pay', randomUUID())
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        receivables.actOnClient(
          merchantId,
          it.clientId,
          { ...it.apply, applicationId: `application_${index}`, amount: 300 },
          testContext(),
        ),
      ),
    )
    // $3.00 five times is the whole invoice; what others had reserved went back.
    expect(outcomes.filter(({ kind }) => kind === 'accepted').length).toBeGreaterThanOrEqual(5)
    expect(await it.figures()).toEqual({ open: [0, 0], credit: 500 })
  })
})
