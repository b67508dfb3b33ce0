import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import type { SignInEvent } from '#contracts/events/sign-in'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler } from '#services/commands/handle-command'
import { hasGenuineMac, hashOf } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import {
  createPersonalKeys,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { EventStoreUnavailable, WrongExpectedRevision } from '#services/event-store/errors'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { accepted, refused, type Decided, type Decider } from '#services/foundation/decider'
import { release } from '#services/foundation/release'
import { randomIds } from '#services/foundation/ids'
import { signInStream, streamOwner, type StreamName } from '#services/foundation/stream-names'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { macKey } from '../../support/event-store/mac-key.ts'

const at: Instant = '2026-03-03T09:12:00.000Z'
const recordedAt: Instant = '2026-03-03T09:12:07.000Z'
const clock = { now: () => new Date(recordedAt) }

/** A small decider with every kind of decision. It counts requested codes. */
type Command =
  | { readonly type: 'request-code' }
  | { readonly type: 'be-refused' }
  | { readonly type: 'record-fact'; readonly fact: string; readonly alsoSignOut?: boolean }
  | { readonly type: 'do-nothing' }

const codeRequested = (resend: number): Decided<SignInEvent> => ({
  type: 'CodeRequested',
  data: { email: 'dana@birchwood.example', resend },
  occurredAt: at,
})

const decider: Decider<
  'signIn',
  { readonly requested: number },
  Command,
  SignInEvent,
  { readonly after: number }
> = {
  category: 'signIn',
  initialState: { requested: 0 },
  evolve: (state, { type }) => ({
    requested: state.requested + (type === 'CodeRequested' ? 1 : 0),
  }),
  decide(command, state) {
    switch (command.type) {
      case 'request-code':
        return accepted(codeRequested(state.requested))
      case 'be-refused':
        return refused({ after: state.requested })
      case 'record-fact': {
        const fact: Decided<SignInEvent> = {
          type: 'SignedOut',
          data: {},
          occurredAt: at,
          fact: command.fact,
        }
        return command.alsoSignOut ? accepted(fact, codeRequested(state.requested)) : accepted(fact)
      }
      case 'do-nothing':
        return accepted()
    }
  },
}

function contextOf(commandId: string = randomUUID()): CommandContext {
  return {
    commandId,
    correlationId: 'request_1',
    actor: { kind: 'customer', id: 'usr_1' },
    source: 'api',
  }
}

let database: TestDatabase
let store: EventStore
let keys: PersonalKeys
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  keys = createPersonalKeys(database.pool, randomBytes(32))
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const newStream = () => signInStream(randomIds.userId())
const handlerOver = (eventStore: EventStore = store) =>
  createCommandHandler({ store: eventStore, codec: createCodec(keys), clock, macKey })
const handle = (
  stream: StreamName<'signIn'>,
  command: Command,
  commandId?: string,
  handler = handlerOver(),
) => handler.handle({ decider, stream, command, context: contextOf(commandId) })

describe('a command', () => {
  it('becomes events whose metadata has the actor, the cause and the times', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    const handled = await handle(stream, { type: 'request-code' }, commandId)
    expect(handled).toMatchObject({ kind: 'accepted', state: { requested: 1 }, revision: 0 })
    const [stored] = await store.readStream(stream)
    expect(handled.position).toBe(stored?.position)
    expect(handled.events).toMatchObject([
      {
        type: 'CodeRequested',
        data: { email: 'dana@birchwood.example', resend: 0 },
        stream,
        revision: 0,
        id: stored?.id,
      },
    ])
    expect(stored?.metadata).toEqual({
      correlationId: 'request_1',
      causationId: commandId,
      actor: { kind: 'customer', id: 'usr_1' },
      source: 'api',
      occurredAt: at,
      recordedAt,
      schemaVersion: 1,
      release,
      previousHash: null,
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('is decided from the events of earlier commands, also of another handler', async () => {
    const stream = newStream()
    await handle(stream, { type: 'request-code' })
    const handled = await handle(stream, { type: 'request-code' })
    expect(handled).toMatchObject({
      state: { requested: 2 },
      revision: 1,
      events: [{ data: { resend: 1 } }],
    })
    expect(await handlerOver().load({ decider, stream })).toMatchObject({
      state: { requested: 2 },
      revision: 1,
      position: handled.position,
    })
    expect(await handlerOver().loadEvents({ decider, stream })).toMatchObject([
      { data: { resend: 0 } },
      { data: { resend: 1 } },
    ])
  })

  it('that changes nothing appends nothing, and returns revision and position of the stream', async () => {
    const stream = newStream()
    expect(await handle(stream, { type: 'do-nothing' })).toMatchObject({
      kind: 'accepted',
      events: [],
      revision: null,
      position: null,
    })
    const { position } = await handle(stream, { type: 'request-code' })
    expect(await handle(stream, { type: 'do-nothing' })).toMatchObject({
      kind: 'accepted',
      events: [],
      revision: 0,
      position,
    })
  })

  it('that is refused appends nothing, and returns the refusal and the unchanged stream', async () => {
    const stream = newStream()
    const { position } = await handle(stream, { type: 'request-code' })
    expect(await handle(stream, { type: 'be-refused' })).toEqual({
      kind: 'refused',
      refusal: { after: 1 },
      events: [],
      state: { requested: 1 },
      revision: 0,
      position,
    })
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  it('in a stream with an event of another category is refused with an error that names the event', async () => {
    const stream = newStream()
    await handle(stream, { type: 'request-code' })
    const [first] = await store.readStream(stream)
    if (!first) throw new Error('The stream has no event.')
    const foreign = { type: 'CheckoutExpired', data: { checkoutId: 'checkout_1' } }
    await store.append(stream, 0, [{ ...foreign, id: randomUUID(), metadata: first.metadata }])
    await expect(handle(stream, { type: 'request-code' })).rejects.toThrow(
      `(CheckoutExpired, revision 1 of '${stream}') cannot be read: the decider of category 'signIn' has no such event.`,
    )
  })

  it('extends the hash chain over the stored events', async () => {
    const stream = newStream()
    await handle(stream, { type: 'record-fact', fact: 'in_1 paid', alsoSignOut: true })
    for (let n = 0; n < 3; n += 1) await handle(stream, { type: 'request-code' })
    expectChained(await store.readStream(stream), 5)
  })
})

describe('a repeated command', () => {
  it('appends nothing and returns the same outcome', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    const first = await handle(stream, { type: 'request-code' }, commandId)
    expect(await handle(stream, { type: 'request-code' }, commandId)).toMatchObject({
      kind: 'accepted',
      events: first.events.map(({ id }) => ({ id })),
      position: first.position,
    })
    await handle(stream, { type: 'request-code' })
    expect(await handle(stream, { type: 'request-code' }, commandId)).toMatchObject({
      events: [{ data: { resend: 0 } }],
      state: { requested: 2 },
      revision: 1,
    })
    expect(await store.readStream(stream)).toHaveLength(2)
  })

  it('that was refused is decided again on the present state', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    await handle(stream, { type: 'be-refused' }, commandId)
    await handle(stream, { type: 'request-code' })
    expect(await handle(stream, { type: 'be-refused' }, commandId)).toMatchObject({
      kind: 'refused',
      refusal: { after: 1 },
    })
    expect(await handle(stream, { type: 'request-code' }, commandId)).toMatchObject({
      kind: 'accepted',
      events: [{ type: 'CodeRequested' }],
    })
  })

  it('returns all events of the first time, including those of external facts', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    const command = { type: 'record-fact', fact: 'in_1 paid', alsoSignOut: true } as const
    const first = await handle(stream, command, commandId)
    expect(first.events).toHaveLength(2)
    expect((await handle(stream, command, commandId)).events.map(({ id }) => id)).toEqual(
      first.events.map(({ id }) => id),
    )
  })

  it('is handled once when all repeats are concurrent', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => handle(stream, { type: 'request-code' }, commandId)),
    )
    expect(new Set(answers.map(({ events }) => events.map(({ id }) => id).join())).size).toBe(1)
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  it('is a different command in another stream', async () => {
    const commandId = randomUUID()
    const [one, other] = [
      await handle(newStream(), { type: 'request-code' }, commandId),
      await handle(newStream(), { type: 'request-code' }, commandId),
    ]
    expect(one.events[0]?.id).not.toBe(other.events[0]?.id)
  })

  it('appends nothing after any sequence of commands', async () => {
    const command = fc.oneof(
      fc.constant<Command>({ type: 'request-code' }),
      fc.constant<Command>({ type: 'be-refused' }),
      fc.constant<Command>({ type: 'do-nothing' }),
      fc.record<Command & { type: 'record-fact' }>({
        type: fc.constant('record-fact'),
        fact: fc.constantFrom('in_1', 'in_2', 'in_3'),
        alsoSignOut: fc.boolean(),
      }),
    )
    const property = fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 6 }),
      async (commands) => {
        const stream = newStream()
        const given = commands.map((each) => ({ command: each, commandId: randomUUID() }))
        const first = []
        for (const { command: each, commandId } of given)
          first.push(await handle(stream, each, commandId))
        const before = await store.readStream(stream)
        for (const [index, { command: each, commandId }] of given.entries()) {
          expect((await handle(stream, each, commandId)).kind).toBe(first[index]?.kind)
        }
        expect(await store.readStream(stream)).toEqual(before)
        expectChained(before, before.length)
      },
    )
    await fc.assert(property, { numRuns: 25 })
  }, 60_000)
})

describe('an external fact', () => {
  it('is recorded as one event, even if several commands report it', async () => {
    const stream = newStream()
    const first = await handle(stream, { type: 'record-fact', fact: 'in_1 paid' })
    expect(await handle(stream, { type: 'record-fact', fact: 'in_1 paid' })).toMatchObject({
      kind: 'accepted',
      events: [],
      revision: 0,
      position: first.position,
    })
    expect(
      await handle(stream, { type: 'record-fact', fact: 'in_1 paid', alsoSignOut: true }),
    ).toMatchObject({ events: [{ type: 'CodeRequested' }], revision: 1 })
  })
})

describe('an event that no decision depends on', () => {
  const record = (stream: StreamName<'signIn'>, over: Partial<EventStore> = {}, id?: string) =>
    handlerOver({ ...store, ...over }).record({
      stream,
      event: codeRequested(0),
      context: contextOf(id),
    })

  it('is recorded in the hash chain, and its stream is never read as a whole', async () => {
    const stream = newStream()
    const readStream = () => Promise.reject(new Error('The whole stream was read.'))
    for (let n = 0; n < 3; n += 1) await record(stream, { readStream })
    const stored = await store.readStream(stream)
    expectChained(stored, 3)
    const { position } = await record(stream)
    expect(position).toBe((await store.readLast(stream))?.position)
  })

  it('is recorded once if the same command is repeated', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    const first = await record(stream, {}, commandId)
    expect(await record(stream, {}, commandId)).toEqual(first)
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  it('is recorded after the events of concurrent writers', async () => {
    const stream = newStream()
    await Promise.all(Array.from({ length: 12 }, () => record(stream)))
    expectChained(await store.readStream(stream), 12)
  })

  it('contains no personal data and creates no key after the person was erased', async () => {
    const stream = newStream()
    const subject = streamOwner(stream)
    await keys.erase(subject)
    await record(stream)
    expect((await store.readLast(stream))?.data).toEqual({ email: erasedValue, resend: 0 })
    const { rows } = await database.pool.query(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [subject],
    )
    expect(rows).toEqual([{ wrapped_key: null }])
  })
})

describe('concurrent writers of one stream', () => {
  it('each decide from the events of the previous writer', async () => {
    const stream = newStream()
    const second = createPostgresEventStore({ connectionString: database.connectionString })
    const handlers = [handlerOver(), handlerOver(second)]
    // As many writers as a command has attempts: each conflict means that another writer has
    // finished.
    await Promise.all(
      Array.from({ length: 15 }, (_, n) =>
        handle(stream, { type: 'request-code' }, randomUUID(), handlers[n % 2]),
      ),
    )
    const { state } = await handlerOver().load({ decider, stream })
    expect(state.requested).toBe(15)
    const events = await createCodec(keys).decodeStream(await store.readStream(stream))
    expect(events.map(({ data }) => data)).toMatchObject(
      Array.from({ length: 15 }, (_, resend) => ({ resend })),
    )
    expectChained(await store.readStream(stream), 15)
    await second.close()
  }, 60_000)

  it('fail after a bounded number of conflicts', async () => {
    const append = jest.fn<EventStore['append']>((stream, expected) =>
      Promise.reject(new WrongExpectedRevision(stream, expected, 99)),
    )
    await expect(
      handle(
        newStream(),
        { type: 'request-code' },
        randomUUID(),
        handlerOver({ ...store, append }),
      ),
    ).rejects.toThrow(WrongExpectedRevision)
    expect(append.mock.calls.length).toBeGreaterThan(5)
    expect(append.mock.calls.length).toBeLessThan(50)
  })

  it('fail at once if the store is unavailable, and may send the command again', async () => {
    const stream = newStream()
    const commandId = randomUUID()
    // The event is written, but the answer is lost before it reaches the caller.
    const append: EventStore['append'] = async (...given) => {
      await store.append(...given)
      throw new EventStoreUnavailable(new Error('connection lost'))
    }
    await expect(
      handle(stream, { type: 'request-code' }, commandId, handlerOver({ ...store, append })),
    ).rejects.toThrow(EventStoreUnavailable)
    expect(await handle(stream, { type: 'request-code' }, commandId)).toMatchObject({
      kind: 'accepted',
      revision: 0,
      events: [{ data: { resend: 0 } }],
    })
    expect(await store.readStream(stream)).toHaveLength(1)
  })
})

function expectChained(events: readonly StreamEvent[], count: number): void {
  const hashes = [null, ...events.map(hashOf)]
  expect(events.map(({ metadata }) => metadata.previousHash)).toEqual(hashes.slice(0, -1))
  expect(events.every((event) => hasGenuineMac(event, macKey))).toBe(true)
  expect(events).toHaveLength(count)
}
