import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import pino from 'pino'
import type { SignInEvent } from '#contracts/events/sign-in'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createStreamCache, type StreamCache } from '#services/commands/stream-cache'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import {
  createPersonalKeys,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import type { EventLog } from '#services/event-store/event-log'
import type { EventStore } from '#services/event-store/event-store'
import { accepted, refused, type Decided, type Decider } from '#services/foundation/decider'
import { randomIds } from '#services/foundation/ids'
import { signInStream, streamOwner, type StreamName } from '#services/foundation/stream-names'
import { watchStreamCache } from '#services/commands/watch-stream-cache'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

const at: Instant = '2026-03-03T09:12:00.000Z'
const clock = { now: () => new Date('2026-03-03T09:12:07.000Z') }

type Command =
  | { readonly type: 'request'; readonly email: string }
  | { readonly type: 'record-fact'; readonly fact: string; readonly email: string | null }
  | { readonly type: 'refuse-after'; readonly count: number }

interface State {
  readonly emails: readonly string[]
  readonly count: number
}

const requested = (email: string, resend: number): Decided<SignInEvent> => ({
  type: 'CodeRequested',
  data: { email, resend },
  occurredAt: at,
})

/** Keeps personal data in its state, and has facts and refusals. */
const decider: Decider<'signIn', State, Command, SignInEvent, State> = {
  category: 'signIn',
  initialState: { emails: [], count: 0 },
  evolve: ({ emails, count }, event) => ({
    emails: event.type === 'CodeRequested' ? [...emails, event.data.email] : emails,
    count: count + 1,
  }),
  decide(command, state) {
    switch (command.type) {
      case 'request':
        return accepted(requested(command.email, state.count))
      case 'record-fact': {
        const { fact, email } = command
        const signedOut: Decided<SignInEvent> = {
          type: 'SignedOut',
          data: {},
          occurredAt: at,
          fact,
        }
        return email === null
          ? accepted(signedOut)
          : accepted(signedOut, requested(email, state.count))
      }
      case 'refuse-after':
        return state.count > command.count
          ? refused(state)
          : accepted(requested('dana@birchwood.example', state.count))
    }
  },
}

const contextOf = (commandId: string): CommandContext => ({
  commandId,
  correlationId: 'request_1',
  actor: { kind: 'customer', id: 'usr_1' },
  source: 'api',
})

let database: TestDatabase
let log: EventLog
let store: EventStore
beforeAll(async () => {
  database = await createTestDatabase()
  const { connectionString, pool } = database
  log = createPostgresEventLog({ connectionString, pool })
  store = log.store
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const masterKey = randomBytes(32)
const newStream = () => signInStream(randomIds.userId())

interface Process {
  readonly keys: PersonalKeys
  readonly cache: StreamCache | null
  readonly commands: CommandHandler
  readonly reads: { events: number; decrypted: number }
}

/** What one process of the product has: keys, and a handler with or without a cache. */
function newProcess(
  options: { readonly maxBytes?: number; readonly cacheFor?: number } | null,
  over: Partial<EventStore> = {},
): Process {
  const reads = { events: 0, decrypted: 0 }
  const keys: PersonalKeys = createPersonalKeys(database.pool, masterKey, {
    cacheFor: options?.cacheFor ?? 3_600_000,
    onErased: (subject) => cache?.forgetSubject(subject),
  })
  const cache = options === null ? null : createStreamCache({ keys, ...options })
  const codec = createCodec(keys)
  const commands = createCommandHandler({
    store: {
      ...store,
      async readStream(...given) {
        const events = await store.readStream(...given)
        reads.events += events.length
        return events
      },
      ...over,
    },
    codec: {
      ...codec,
      decodeStream(events) {
        reads.decrypted += events.length
        return codec.decodeStream(events)
      },
    },
    clock,
    macKey,
    cache,
  })
  return { keys, cache, commands, reads }
}

const send = (
  { commands }: Process,
  stream: StreamName<'signIn'>,
  command: Command | (() => Promise<Command>),
  commandId: string = randomUUID(),
) => commands.handle({ decider, stream, command, context: contextOf(commandId) })
const request: Command = { type: 'request', email: 'dana@birchwood.example' }

describe('a command on a cached stream', () => {
  it('reads the last known event and what follows it, and decrypts only what follows', async () => {
    const one = newProcess({})
    const other = newProcess({})
    const stream = newStream()
    for (let n = 0; n < 20; n += 1) await send(one, stream, request)
    await send(other, stream, request)
    one.reads.events = one.reads.decrypted = 0
    expect(await send(one, stream, request)).toMatchObject({ revision: 21, state: { count: 22 } })
    // The events of the other process and of this command.
    expect(one.reads).toEqual({ events: 2, decrypted: 2 })
    const load = await one.commands.load({ decider, stream })
    expect(load).toMatchObject({ revision: 21, state: { count: 22 } })
    expect(one.reads).toEqual({ events: 3, decrypted: 2 })
  })

  it('reads pages of 1,000 events the first time', async () => {
    const pages: number[] = []
    const long = newProcess(null)
    const stream = newStream()
    for (let n = 0; n < 3; n += 1) await send(long, stream, request)
    const stored = await store.readStream(stream)
    const [first] = stored
    if (first === undefined) throw new Error('The stream has no event.')
    const { commands } = newProcess(
      {},
      {
        readStream: async (_stream, from = 0, max = 0) => {
          pages.push(max)
          const end = Math.min(from + max, 2_500)
          return Array.from({ length: end - from }, (_, index) => ({
            ...first,
            revision: from + index,
          }))
        },
      },
    )
    const { state } = await commands.load({ decider, stream })
    expect(state.count).toBe(2_500)
    expect(pages).toEqual([1_000, 1_000, 1_000])
  })

  it('that was handled long ago is recognized, and reads only the events around its own', async () => {
    const process = newProcess({})
    const stream = newStream()
    const commandId = randomUUID()
    const command = { type: 'record-fact', fact: 'in_1 paid', email: 'a@b.example' } as const
    const first = await send(process, stream, command, commandId)
    for (let n = 0; n < 60; n += 1) await send(process, stream, request)
    process.reads.events = 0
    const again = await send(process, stream, command, commandId)
    expect(again.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id))
    expect(again.state.count).toBe(62)
    expect(process.reads.events).toBeLessThan(40)
  })

  it('after an append of the same fact by two processes uses the event of the log', async () => {
    const stream = newStream()
    const fact = { type: 'record-fact', fact: 'in_1 paid', email: null } as const
    const second = newProcess({})
    let isFirst = true
    const first = newProcess(
      {},
      {
        // The other process appends the same fact at the same revision, a moment before.
        async append(...given) {
          if (isFirst) {
            isFirst = false
            await send(second, stream, fact)
          }
          return store.append(...given)
        },
      },
    )
    await send(first, stream, fact)
    await send(first, stream, request)
    await send(second, stream, request)
    const stored = await store.readStream(stream)
    expect(stored.slice(1).map(({ metadata }) => metadata['previousHash'])).toEqual(
      stored.slice(0, -1).map(hashOf),
    )
    expect(stored).toHaveLength(3)
  })
})

describe('two commands of one process', () => {
  it('that load a stream together decide one after the other', async () => {
    const process = newProcess({})
    const stream = newStream()
    await send(process, stream, request)
    const fact = { type: 'record-fact', fact: 'in_1 paid', email: null } as const
    let isFirst = true
    const handled = await send(process, stream, async () => {
      const first = isFirst
      isFirst = false
      if (first) {
        await send(process, stream, request)
        await send(process, stream, fact)
      }
      return fact
    })
    // The append conflicts. The fact that the other command recorded is known after that.
    expect(handled).toMatchObject({ events: [], revision: 2, state: { count: 3 } })
  })
})

describe('the cache', () => {
  it('keeps at most its bytes, and no stream that is larger', async () => {
    const maxBytes = 20_000
    const process = newProcess({ maxBytes })
    const streams = Array.from({ length: 30 }, newStream)
    for (const stream of streams) await send(process, stream, request)
    const { bytes, streams: kept } = process.cache?.sizes() ?? { bytes: 0, streams: 0 }
    expect(bytes).toBeLessThanOrEqual(maxBytes)
    expect(kept).toBeGreaterThan(5)
    expect(kept).toBeLessThan(30)
    const long = newStream()
    for (let n = 0; n < 80; n += 1) await send(process, long, request)
    expect(process.cache?.sizes().bytes).toBeLessThanOrEqual(maxBytes)
    expect(await send(process, long, request)).toMatchObject({ state: { count: 81 } })
  })

  it('forgets streams that are not used', async () => {
    let now = 1
    const keys = createPersonalKeys(database.pool, masterKey)
    const cache = createStreamCache({ keys, idleMs: 1_000, now: () => now })
    const commands = createCommandHandler({
      store,
      codec: createCodec(keys),
      clock,
      macKey,
      cache,
    })
    const [used, idle] = [newStream(), newStream()]
    for (const stream of [used, idle])
      await commands.handle({ decider, stream, command: request, context: contextOf(randomUUID()) })
    now += 800
    await commands.load({ decider, stream: used })
    now += 800
    await cache.recheck()
    expect(cache.sizes().streams).toBe(1)
    expect(await cache.find(decider, used)).not.toBeNull()
    expect(await cache.find(decider, idle)).toBeNull()
  })

  it('has no data of a person whose key this process destroyed', async () => {
    const process = newProcess({})
    const stream = newStream()
    await send(process, stream, request)
    await process.keys.erase(streamOwner(stream))
    expect(process.cache?.sizes().streams).toBe(0)
    const { state } = await process.commands.load({ decider, stream })
    expect(state.emails).toEqual([erasedValue])
  })

  it('does not keep what was decrypted while the key was destroyed', async () => {
    const stream = newStream()
    const process = newProcess({})
    await send(newProcess(null), stream, request)
    await process.commands.handle({
      decider,
      stream,
      command: async () => {
        await process.keys.erase(streamOwner(stream))
        return request
      },
      context: contextOf(randomUUID()),
    })
    const { state } = await process.commands.load({ decider, stream })
    expect(state.emails).toEqual([erasedValue, erasedValue])
  })

  it('does not keep what was read before a repair', async () => {
    const stream = newStream()
    const process = newProcess({})
    await send(newProcess(null), stream, request)
    await send(process, stream, async () => {
      process.cache?.clear()
      return request
    })
    expect(process.cache?.sizes().streams).toBe(0)
  })

  it('notices at the next use that another process destroyed the key', async () => {
    const process = newProcess({ cacheFor: 1 })
    const stream = newStream()
    await send(process, stream, request)
    await newProcess(null).keys.erase(streamOwner(stream))
    await new Promise((resolve) => setTimeout(resolve, 5))
    const { state } = await process.commands.load({ decider, stream })
    expect(state.emails).toEqual([erasedValue])
  })

  it('rechecks its keys, for the case that a notification was lost', async () => {
    const process = newProcess({ cacheFor: 1 })
    const [erased, other] = [newStream(), newStream()]
    for (const stream of [erased, other]) await send(process, stream, request)
    await newProcess(null).keys.erase(streamOwner(erased))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await process.cache?.recheck()
    expect(process.cache?.sizes().streams).toBe(1)
  })
})

describe('a notification of another process', () => {
  const noLog = pino({ level: 'silent' })
  async function watched() {
    const process = newProcess({})
    const { cache } = process
    if (cache === null) throw new Error('The process has no cache.')
    let gaps = 0
    const watch = watchStreamCache({
      cache: {
        ...cache,
        clear() {
          gaps += 1
          cache.clear()
        },
      },
      keys: process.keys,
      connectionString: database.connectionString,
      log: noLog,
    })
    await until(async () => gaps > 0, 'the watch does not listen')
    return { process, cache, close: () => watch.close() }
  }

  it('of an erasure removes the key and every stream of the person', async () => {
    const { process, cache, close } = await watched()
    const [erased, other] = [newStream(), newStream()]
    for (const stream of [erased, other]) await send(process, stream, request)
    await newProcess(null).keys.erase(streamOwner(erased))
    await until(async () => cache.sizes().streams === 1, 'the erased stream stays')
    const { state } = await process.commands.load({ decider, stream: erased })
    expect(state.emails).toEqual([erasedValue])
    await close()
  })

  it('of a repair empties the cache', async () => {
    const { process, cache, close } = await watched()
    const stream = newStream()
    await send(process, stream, request)
    await send(process, stream, request)
    const [first] = await store.readStream(stream)
    if (first?.position === undefined || log.replace === null) throw new Error('No event.')
    await log.replace([{ ...first, position: first.position }])
    await until(async () => cache.sizes().streams === 0, 'the cache keeps the former event')
    await close()
  })
})

/** A step of two processes. `by` is the process; `earlier` repeats an earlier command. */
type Step =
  | {
      readonly kind: 'command'
      readonly by: 0 | 1
      readonly command: Command
      readonly earlier: number | null
      /** Another command of this or the other process, between the load and the decision. */
      readonly meanwhile: { readonly command: Command; readonly isOwn: boolean } | null
    }
  | { readonly kind: 'load'; readonly by: 0 | 1 }
  | { readonly kind: 'erase'; readonly by: 0 | 1; readonly isNotified: boolean }
  | { readonly kind: 'evict'; readonly by: 0 | 1 }

describe('two processes with caches', () => {
  const email = fc.constantFrom('a@birchwood.example', 'b@birchwood.example')
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ type: fc.constant('request' as const), email }),
    fc.record({
      type: fc.constant('record-fact' as const),
      fact: fc.constantFrom('in_1', 'in_2', 'in_3'),
      email: fc.option(email),
    }),
    fc.record({ type: fc.constant('refuse-after' as const), count: fc.nat(6) }),
  )
  const by = fc.constantFrom(0 as const, 1 as const)
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('command' as const),
        by,
        command,
        earlier: fc.option(fc.nat(20), { freq: 2 }),
        meanwhile: fc.option(fc.record({ command, isOwn: fc.boolean() }), { freq: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('load' as const), by }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('evict' as const), by }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('erase' as const), by, isNotified: fc.boolean() }),
    },
  )

  it('give the same events, states and refusals as two processes without', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(3_000, 2 ** 20),
      async (steps, maxBytes) => {
        const ids = steps.map(() => [randomUUID(), randomUUID()] as const)
        const cached = await outcomes(steps, ids, { maxBytes })
        expect(cached).toEqual(await outcomes(steps, ids, null))
      },
    )
    await fc.assert(property, { numRuns: 150 })
  }, 120_000)

  async function outcomes(
    steps: readonly Step[],
    ids: readonly (readonly [string, string])[],
    options: Parameters<typeof newProcess>[0],
  ) {
    const processes = [newProcess(options), newProcess(options)] as const
    const stream = newStream()
    const found: unknown[] = []
    for (const [index, each] of steps.entries()) {
      const process = processes[each.by]
      const other = processes[each.by === 0 ? 1 : 0]
      switch (each.kind) {
        case 'command': {
          const [ownId = '', otherId = ''] = ids[index] ?? []
          const repeated = each.earlier === null ? null : ids[each.earlier % (index + 1)]?.[0]
          let { meanwhile } = each
          const handled = await send(
            process,
            stream,
            async () => {
              const first = meanwhile
              meanwhile = null
              if (first !== null)
                await send(first.isOwn ? process : other, stream, first.command, otherId)
              return each.command
            },
            repeated ?? ownId,
          )
          found.push({
            ...handled,
            position: typeof handled.position,
            events: handled.events.map(({ type, data, revision }) => ({ type, data, revision })),
          })
          break
        }
        case 'load': {
          const { state, revision } = await process.commands.load({ decider, stream })
          found.push({ state, revision })
          break
        }
        case 'evict':
          process.cache?.clear()
          break
        case 'erase':
          await process.keys.erase(streamOwner(stream))
          // Without a notification, the other process may use its key for a while.
          if (each.isNotified) {
            other.keys.forget(streamOwner(stream))
            other.cache?.forgetSubject(streamOwner(stream))
          }
          break
      }
    }
    const stored = await store.readStream(stream)
    return {
      found,
      stored: stored.map(({ type, revision, metadata }) => [
        type,
        revision,
        metadata['causationId'],
      ]),
    }
  }
})
