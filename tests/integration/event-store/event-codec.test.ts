import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { event, personal } from '#contracts/events/define-event'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import {
  createPersonalKeys,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import { InvalidEvent, UnreadableEvent } from '#services/event-store/errors'
import { NewerEvent } from '#services/event-store/newer-event'
import { storedJson } from '#services/event-store/stored-json'
import { release } from '#services/foundation/release'
import type { EventStore, JsonObject, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { Queryable } from '#services/foundation/queryable'
import { profile } from '../../support/data/events.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const masterKey = randomBytes(32)
let database: TestDatabase
let store: EventStore
let keys: PersonalKeys
let codec: EventCodec
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  keys = createPersonalKeys(database.pool, masterKey)
  codec = createCodec(keys)
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const completed = {
  type: 'CompanyProfileCompleted',
  data: { ...profile, termsVersion: '2025-05-16' },
}

/** Encodes, stores and reads back one event. */
async function storeOne(
  stream: string,
  { type, data }: { type: string; data: unknown },
  by = codec,
): Promise<StoredEvent> {
  const id = randomUUID()
  const encoded = await by.encode(stream, { id, type, data })
  const { position } = await store.append(stream, 'no-stream', [
    {
      id,
      type,
      data: encoded.data,
      metadata: { ...someEvent().metadata, schemaVersion: encoded.schemaVersion },
    },
  ])
  const [stored] = await store.readStream(stream)
  if (!stored) throw new Error('nothing was stored')
  return { ...stored, position }
}

const newPerson = () => `usr_${randomUUID()}`

describe('personal fields', () => {
  it('are ciphertext in the table and clear text to a reader', async () => {
    const stored = await storeOne(`account-${newPerson()}`, completed)
    const { rows } = await database.pool.query<{ row: string }>(
      'SELECT row_to_json(e)::text AS row FROM log.event e WHERE id = $1',
      [stored.id],
    )
    const { domain, state, ...named } = profile
    for (const value of Object.values(named)) expect(rows[0]?.row).not.toContain(value)
    for (const value of [domain, state]) expect(rows[0]?.row).toContain(value)
    expect((await codec.decode([stored]))[0]).toMatchObject(completed)
  })

  it('read as erased after the key is destroyed, and the person gets no new key', async () => {
    const person = newPerson()
    const stored = await storeOne(`account-${person}`, completed)
    await keys.erase(person)
    const erased = {
      fullName: '[erased]',
      supportEmail: '[erased]',
      domain: profile.domain,
      state: profile.state,
    }
    expect((await codec.decode([stored]))[0]?.data).toMatchObject(erased)
    expect(
      (
        await storeOne(`billing-${person}`, {
          type: 'CheckoutExpired',
          data: { checkoutId: 'checkout_1' },
        })
      ).data,
    ).toEqual({ checkoutId: 'checkout_1' })
    expect(await createPersonalKeys(database.pool, masterKey).forWriting(person)).toBeNull()
    const late = await codec.encode(`account-${person}`, { id: randomUUID(), ...completed })
    expect(late.data).toMatchObject(erased)
  })

  it.each(['\0', '\ud800'])(
    'with %j are refused like clear fields, because no table of a projection could store them',
    async (character) => {
      const stream = `account-${newPerson()}`
      for (const field of ['fullName', 'state']) {
        const data = { ...completed.data, [field]: `a${character}b` }
        await expect(
          codec.encode(stream, { id: randomUUID(), type: completed.type, data }),
        ).rejects.toThrow(new RegExp(`its field '${field}' has NUL or half of a surrogate pair`))
      }
    },
  )

  it('of a person who was erased before the first key are never stored', async () => {
    const person = newPerson()
    await keys.erase(person)
    expect(
      JSON.stringify(
        (await codec.encode(`account-${person}`, { id: randomUUID(), ...completed })).data,
      ),
    ).not.toContain(profile.fullName)
  })

  it('cannot be changed, or moved to another field or event, without an error on reading', async () => {
    const stored = await storeOne(`account-${newPerson()}`, completed)
    const data = stored.data as Record<string, { $personal: string }>
    const { fullName, companyName } = data
    const flipped =
      fullName?.$personal.replace(
        /.{6}$/,
        (end) => (end.startsWith('A') ? 'B' : 'A') + end.slice(1),
      ) ?? ''
    const tampered: readonly Partial<StoredEvent>[] = [
      { data: { ...stored.data, fullName: { $personal: flipped } } },
      { data: { ...stored.data, fullName: { $personal: 'v1:AAAA' } } },
      { data: { ...stored.data, fullName: { $personal: 'v9:AAAA' } } },
      { data: { ...stored.data, fullName: companyName } },
      { id: randomUUID() },
    ]
    for (const change of tampered)
      await expect(codec.decode([{ ...stored, ...change }])).rejects.toThrow(
        /'fullName' cannot be decrypted/,
      )
  })

  it('cannot be stored in a stream that belongs to no person', async () => {
    const opened = {
      id: randomUUID(),
      type: 'AccountOpened',
      data: { userId: 'usr_1', email: 'dana@birchwood.example' },
    }
    await expect(codec.encode('email-1', opened)).rejects.toThrow(/belongs to no person/)
  })

  it('are encrypted with one key per person', async () => {
    const [one, other] = [newPerson(), newPerson()]
    const stored = [
      await storeOne(`account-${one}`, completed),
      await storeOne(`account-${other}`, completed),
    ]
    await keys.erase(one)
    const [erased, kept] = await codec.decode(stored)
    expect(erased?.data).toMatchObject({ fullName: '[erased]' })
    expect(kept?.data).toMatchObject({ fullName: profile.fullName })
  })

  it('are encrypted at any depth', async () => {
    const name = personal(z.string().min(3))
    const catalogue = {
      Deep: event(['message'], {
        optional: name.optional(),
        nullable: name.nullable(),
        list: z.array(z.object({ name, note: z.string() })),
        byKey: z.record(z.string(), z.object({ name })),
        either: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), name }),
          z.object({ kind: z.literal('b'), code: z.string() }),
        ]),
        whole: personal(z.object({ street: z.string(), number: z.int() })).optional(),
      }),
    }
    const deep = createCodec(keys, catalogue)
    const person = newPerson()
    const data = {
      nullable: null,
      list: [
        { name: 'Secret1', note: 'open' },
        { name: 'Secret2', note: 'open' },
      ],
      byKey: { first: { name: 'Secret3' } },
      either: { kind: 'a', name: 'Secret4' },
      whole: { street: 'Secret5', number: 77 },
    }
    const stored = await storeOne(`account-${person}`, { type: 'Deep', data }, deep)
    const encrypted = { $personal: expect.any(String) as unknown }
    expect(stored.data).toEqual({
      nullable: null,
      list: [
        { name: encrypted, note: 'open' },
        { name: encrypted, note: 'open' },
      ],
      byKey: { first: { name: encrypted } },
      either: { kind: 'a', name: encrypted },
      whole: encrypted,
    })
    expect((await deep.decode([stored]))[0]?.data).toEqual(data)
    const codeless = await storeOne(
      `billing-${person}`,
      { type: 'Deep', data: { ...data, either: { kind: 'b', code: 'Open' }, optional: 'Secret6' } },
      deep,
    )
    expect(codeless.data).toMatchObject({
      either: { kind: 'b', code: 'Open' },
      optional: { $personal: expect.any(String) as unknown },
    })
    await keys.erase(person)
    const e = '[erased]'
    expect((await deep.decode([stored]))[0]?.data).toEqual({
      nullable: null,
      list: [
        { name: e, note: 'open' },
        { name: e, note: 'open' },
      ],
      byKey: { first: { name: e } },
      either: { kind: 'a', name: e },
      whole: e,
    })
  })

  it('are refused in a kind of schema that the codec does not search', () => {
    const hidden = { Hidden: event(['message'], { pair: z.tuple([personal(z.string())]) }) }
    expect(() => createCodec(keys, hidden)).toThrow(/'tuple'/)
  })

  it('cannot be forged by text that a customer types', async () => {
    const typed = { ...completed.data, state: '{"$personal":"v1:AAAA"}', fullName: '[erased]' }
    const stored = await storeOne(`account-${newPerson()}`, { ...completed, data: typed })
    expect((await codec.decode([stored]))[0]?.data).toEqual(typed)
  })
})

describe('personal keys', () => {
  it('are created once for each person, even by concurrent processes', async () => {
    const person = newPerson()
    const processes = Array.from({ length: 8 }, () => createPersonalKeys(database.pool, masterKey))
    const made = await Promise.all(processes.map((each) => each.forWriting(person)))
    expect(new Set(made.map((key) => key?.export().toString('hex'))).size).toBe(1)
  })

  it('are created for many persons at once, and none of them is created twice', async () => {
    const [known, ...fresh] = Array.from({ length: 20 }, newPerson)
    const hexOf = async (each: PersonalKeys, person: string) =>
      (await each.forWriting(person))?.export().toString('hex')
    const before = await hexOf(keys, known ?? '')
    const processes = Array.from({ length: 4 }, () => createPersonalKeys(database.pool, masterKey))
    const all = [known ?? '', ...fresh, ...fresh]
    await Promise.all(
      processes.map((each, index) => each.createAll(index % 2 === 0 ? all : all.toReversed())),
    )
    const made = await Promise.all(
      processes.map((each) => Promise.all(all.map((person) => hexOf(each, person)))),
    )
    expect(new Set(made[0]).size).toBe(20)
    for (const each of made) expect(each).toEqual(made[0])
    expect(made[0]?.[0]).toBe(before)
  })

  it('are created for none of many persons if the key of one was lost', async () => {
    const [lost, fresh] = [newPerson(), newPerson()]
    const states = new Map([[lost, 'open' as const]])
    const subjects = { stateOf: async (one: string) => states.get(one) ?? ('no-events' as const) }
    const here = createPersonalKeys(database.pool, masterKey, { subjects })
    await expect(here.createAll([fresh, lost])).rejects.toThrow(
      `Nothing was recorded: the personal key of '${lost}' is missing or damaged`,
    )
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM app.personal_key WHERE subject = ANY ($1)',
      [[fresh, lost]],
    )
    expect(rowCount).toBe(0)
  })

  it('are wrapped, so that neither the table alone nor another MASTER_KEY decrypts an event', async () => {
    const person = newPerson()
    const key = await keys.forWriting(person)
    const { rows } = await database.pool.query<{ wrapped_key: Buffer }>(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [person],
    )
    expect(rows[0]?.wrapped_key.includes(key?.export() ?? '')).toBe(false)
    const others = createPersonalKeys(database.pool, randomBytes(32))
    await expect(others.forReading(new Set([person]))).rejects.toThrow(
      /wrapped with another MASTER_KEY/,
    )
    expect(() => createPersonalKeys(database.pool, randomBytes(16))).toThrow(/needs 32/)
  })

  it('of one person do not work for another person after a copy of their rows', async () => {
    const [one, other] = [newPerson(), newPerson()]
    await keys.forWriting(one)
    await database.pool.query(
      'INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by) SELECT $1, wrapped_key, wrapped_by FROM app.personal_key WHERE subject = $2',
      [other, one],
    )
    expect(await keys.forReading(new Set([other]))).toEqual(new Map())
    await expect(keys.forWriting(other)).rejects.toThrow(
      `Nothing was recorded: the personal key of '${other}' is missing or damaged`,
    )
  })

  it('that another process erased expire in this process', async () => {
    const person = newPerson()
    const here = createPersonalKeys(database.pool, masterKey, { cacheFor: 50 })
    const stored = await storeOne(`account-${person}`, completed, createCodec(here))
    await keys.erase(person)
    await sleep(60)
    expect((await createCodec(here).decode([stored]))[0]?.data).toMatchObject({
      fullName: '[erased]',
    })
    expect(await here.forWriting(person)).toBeNull()
  })

  it('of a page of persons are read by one query', async () => {
    const persons = Array.from({ length: 30 }, newPerson)
    const stored = await Promise.all(
      persons.map((person) => storeOne(`account-${person}`, completed)),
    )
    let queries = 0
    const pool: Queryable = database.pool
    const counted: Queryable = {
      query: (statement, values) => {
        queries += 1
        return pool.query(statement, values)
      },
    }
    const decoded = await createCodec(createPersonalKeys(counted, masterKey)).decode(stored)
    expect(decoded.map(({ data }) => data)).toEqual(persons.map(() => completed.data))
    expect(queries).toBe(1)
  })
})

describe('events', () => {
  const name = (data: Record<string, unknown>): JsonObject => ({
    first: String(data['name']).split(' ')[0],
    last: String(data['name']).split(' ')[1],
  })
  const catalogue = {
    Named: event(
      ['message'],
      { first: personal(z.string()), last: personal(z.string()), title: z.string() },
      [name, (data) => ({ ...data, title: 'none' })],
    ),
  }

  it('of old schema versions are decrypted and upcast step by step', async () => {
    const before = createCodec(keys, { Named: event(['message'], { name: personal(z.string()) }) })
    const stored = await storeOne(
      `account-${newPerson()}`,
      { type: 'Named', data: { name: 'Dana Whitlock' } },
      before,
    )
    expect(stored.metadata.schemaVersion).toBe(1)
    expect((await createCodec(keys, catalogue).decode([stored]))[0]?.data).toEqual({
      first: 'Dana',
      last: 'Whitlock',
      title: 'none',
    })
  })

  it('are written with the current schema version', async () => {
    const { schemaVersion } = await createCodec(keys, catalogue).encode(`account-${newPerson()}`, {
      id: randomUUID(),
      type: 'Named',
      data: { first: 'Dana', last: 'Whitlock', title: 'Dr' },
    })
    expect(schemaVersion).toBe(3)
  })
})

describe('an event that breaks its contract', () => {
  const plain = createCodec(fixedKeys({}))
  const stored: StoredEvent = {
    ...someEvent(),
    type: 'CodeRefused',
    data: { reason: 'wrong' },
    stream: 'signIn-usr_1',
    revision: 4,
    position: '9',
  }

  it('is not encoded', async () => {
    const encode = (type: string, data: unknown) =>
      plain.encode('signIn-usr_1', { id: randomUUID(), type, data })
    await expect(encode('CodeGuessed', {})).rejects.toThrow(InvalidEvent)
    await expect(encode('CodeRefused', { reason: 'boring' })).rejects.toThrow(/reason/)
  })

  it('causes an error when it is read', async () => {
    expect(await plain.decode([stored])).toHaveLength(1)
    const broken: readonly [Partial<StoredEvent>, RegExp][] = [
      [{ type: 'CodeGuessed', metadata: {} }, /not in the catalogue/],
      [{ data: { reason: 'boring' } }, /does not match its contract[^\n]*$/],
      [{ metadata: { ...stored.metadata, occurredAt: 'yesterday' } }, /metadata is broken/],
      [storedJson(stored.data, null), /metadata is broken/],
    ]
    for (const [change, message] of broken) {
      await expect(plain.decode([{ ...stored, ...change }])).rejects.toThrow(UnreadableEvent)
      await expect(plain.decode([{ ...stored, ...change }])).rejects.toThrow(message)
      await expect(plain.decode([{ ...stored, ...change }])).rejects.not.toThrow(NewerEvent)
    }
  })

  const of = (change: Partial<StoredEvent>, writer: object) => {
    const event = { ...stored, ...change }
    return plain.decode([{ ...event, metadata: { ...event.metadata, ...writer } }])
  }
  const nextVersion = { metadata: { ...stored.metadata, schemaVersion: 2 } }

  it.each([release, '0.0.9', 'next'])(
    'is damaged if its type or version is not known and release %s wrote it',
    async (writer) => {
      const damaged: readonly [Partial<StoredEvent>, string][] = [
        [{ type: 'CodeGuessed' }, `Release ${release} does not know its type.`],
        [nextVersion, `It has schema version 2, and release ${release} knows version 1.`],
      ]
      for (const [change, unknown] of damaged)
        await expect(of(change, { release: writer })).rejects.toMatchObject({
          name: 'UnreadableEvent',
          message: expect.stringContaining(
            `cannot be read: ${unknown} Release ${writer} wrote it, which is not newer, so the event is damaged. Run 'billing events verify', and repair the event from a backup: 'billing events repair <backup>'.`,
          ),
        })
    },
  )

  it('waits for the newer release that wrote an unknown value in a field that may grow', async () => {
    const grown = { data: { reason: 'boring' } }
    await expect(of(grown, { release: '9.1.0' })).rejects.toMatchObject({
      name: 'NewerEvent',
      field: 'reason',
      message: expect.stringContaining(
        `Release ${release} does not know the value of its field 'reason', which may grow. Release 9.1.0 wrote it: run release 9.1.0 or a newer one.`,
      ),
    })
    for (const writer of [{}, { release }, { release: '0.0.9' }])
      await expect(of(grown, writer)).rejects.toMatchObject({
        name: 'UnreadableEvent',
        message: expect.stringContaining('does not match its contract'),
      })
    await expect(of({ data: { reason: 3 } }, { release: '9.1.0' })).rejects.toMatchObject({
      name: 'UnreadableEvent',
    })
  })

  it('causes an error that names the release that wrote it, if its type or version is newer', async () => {
    const newer = { release: '9.1.0' }
    await expect(of({ type: 'CodeGuessed' }, newer)).rejects.toThrow(
      new RegExp(
        `Release ${release} does not know its type. Release 9.1.0 wrote it: run release 9.1.0 or`,
      ),
    )
    await expect(of(nextVersion, newer)).rejects.toThrow(
      new RegExp(`It has schema version 2, and release ${release} knows version 1. Release 9.1.0`),
    )
    await expect(of(nextVersion, {})).rejects.toThrow(/A newer release wrote it: run that release/)
    await expect(of(nextVersion, newer)).rejects.toMatchObject({
      name: 'NewerEvent',
      eventId: stored.id,
      stream: stored.stream,
      revision: 4,
      position: '9',
      schemaVersion: 2,
      writtenBy: '9.1.0',
    })
  })
})
