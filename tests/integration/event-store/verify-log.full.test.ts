import { randomBytes, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { someEvent, someEvents } from '../../support/data/some-event.ts'
import { appendChained, tamper } from '../../support/event-store/chained-log.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { sealStored, verifyStored } from '../../support/event-store/verify.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let store: EventStore
beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  for (let round = 0; round < 3; round += 1)
    for (const stream of ['test-a', 'test-b', 'test-c']) await appendChained(store, stream, 2)
})
afterEach(async () => {
  await store.close()
  await database.drop()
})

const verified = (key = auditKey) => verifyStored(store, database.pool, { key })
const problems = async () => (await verified()).problems
const seal = () => sealStored(store, database.pool)

const run = (sql: string, ...values: unknown[]) => tamper(database.pool, sql, values)
const eventAt = async (stream: string, revision: number) =>
  (await store.readStream(stream))[revision]?.id
async function eventOf(stream: string, revision: number): Promise<StreamEvent> {
  const [event] = await store.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no event at revision ${revision}`)
  return event
}
/** Replaces the events from `first` on by others, with a valid chain and MACs by `key`. */
async function rewrite(stream: string, first: number, key: KeyObject): Promise<void> {
  const stored = await store.readStream(stream)
  const rewritten = chain(stream, stored[first - 1], someEvents(stored.length - first), key)
  for (const [index, { id, data, metadata }] of rewritten.entries())
    await run(
      `UPDATE log.event SET id = $1, data = $2, metadata = $3 WHERE stream = $4 AND revision = $5`,
      id,
      data,
      metadata,
      stream,
      first + index,
    )
}
const insert = `INSERT INTO log.event (stream, revision, id, type, data, metadata) VALUES ('test-b', $1, gen_random_uuid(), 'Invented', '{}', $2)`
const renumber = (
  from: number,
  by: number,
) => `UPDATE log.event SET revision = revision + 1000000 WHERE stream = 'test-b' AND revision >= ${from};
  UPDATE log.event SET revision = revision - 1000000 + ${by} WHERE stream = 'test-b' AND revision >= 1000000`

const billingEventsIn = (directory: string) => {
  const settings = {
    DATA_DIR: directory,
    DATABASE_URL: database.connectionString,
    AUDIT_KEY: auditKey.toString('hex'),
  }
  return (...args: readonly string[]) => runBilling(settings, 'events', ...args)
}

describe('verifying a log', () => {
  it('finds no problem in an unchanged log and counts its events', async () => {
    expect(await verified()).toMatchObject({ events: 18, streams: 3, problems: [] })
  })

  it.each<[string, string]>([
    ['data', `data = '{"amount": 1}'`],
    ['type', `type = 'SomethingElse'`],
    ['id', 'id = gen_random_uuid()'],
    [
      'metadata',
      `metadata = jsonb_set(metadata::jsonb, '{occurredAt}', '"2020-01-01T00:00:00.000Z"')::json`,
    ],
  ])('names an event whose %s was changed', async (_, change) => {
    await run(`UPDATE log.event SET ${change} WHERE stream = 'test-b' AND revision = 2`)
    const found = {
      stream: 'test-b',
      kind: 'changed',
      revision: 2,
      eventId: await eventAt('test-b', 2),
    }
    expect(await problems()).toMatchObject([found])
  })

  it('ignores the order of keys and white space', async () => {
    await run(`UPDATE log.event SET data = '{"currency":   "usd", "amount": 3900}'`)
    expect(await problems()).toEqual([])
  })

  it('names an event whose link was changed', async () => {
    await run(
      `UPDATE log.event SET metadata = jsonb_set(metadata::jsonb, '{previousHash}', 'null')::json WHERE stream = 'test-b' AND revision IN (0, 3)`,
    )
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'changed', revision: 3 }])
  })

  it('names the first changed event of each stream', async () => {
    await run(
      `UPDATE log.event SET data = '{"amount": 1}' WHERE revision IN (1, 3) AND stream IN ('test-a', 'test-c')`,
    )
    expect(await problems()).toMatchObject([
      { stream: 'test-a', revision: 1, kind: 'changed' },
      { stream: 'test-c', revision: 1, kind: 'changed' },
    ])
  })

  it.each([
    ['metadata that are no object', "metadata = 'null'"],
    ['a number that JSON cannot hold', `data = '{"a": 1e999}'`],
    [
      'too many nested arrays',
      `data = ('{"a":' || repeat('[', 5000) || repeat(']', 5000) || '}')::json`,
    ],
  ])('names an event with %s, and seals nothing', async (_what, change) => {
    await run(`UPDATE log.event SET ${change} WHERE stream = 'test-b' AND revision = 2`)
    expect(await problems()).toMatchObject([{ stream: 'test-b', revision: 2, kind: 'changed' }])
    await expect(seal()).rejects.toThrow('nothing was sealed')
  })

  it('names events that were removed, at the start or in the middle', async () => {
    await run(
      `DELETE FROM log.event WHERE (stream = 'test-a' AND revision IN (2, 3)) OR (stream = 'test-b' AND revision = 0)`,
    )
    expect(await problems()).toMatchObject([
      {
        stream: 'test-a',
        kind: 'removed',
        revision: 2,
        text: 'The events at revisions 2 to 3 were removed: the stream continues with revision 4.',
      },
      { stream: 'test-b', kind: 'removed', revision: 0, eventId: null },
    ])
  })

  it('names a removed event after the later events were renumbered', async () => {
    await run(`DELETE FROM log.event WHERE stream = 'test-b' AND revision = 2`)
    for (const step of renumber(3, -1).split(';')) await run(step)
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'removed', revision: 2 }])
  })

  it('names an event that was inserted at the end', async () => {
    await run(insert, 6, { previousHash: null })
    expect(await problems()).toMatchObject([
      { stream: 'test-b', kind: 'inserted', revision: 6, eventId: await eventAt('test-b', 6) },
    ])
  })

  it.each(['no link', 'the right link'])(
    'names an event that was inserted in the middle, with %s',
    async (link) => {
      const links = await store.readStream('test-b')
      for (const step of renumber(3, 1).split(';')) await run(step)
      await run(insert, 3, {
        ...links[3]?.metadata,
        ...(link === 'no link' && { previousHash: null }),
      })
      expect(await problems()).toMatchObject([
        { stream: 'test-b', kind: 'inserted', revision: 3, eventId: await eventAt('test-b', 3) },
      ])
    },
  )

  it('finds events that were moved within the log', async () => {
    await run('ALTER TABLE log.event ALTER COLUMN position SET GENERATED BY DEFAULT')
    await run(
      `UPDATE log.event SET position = position + 100 WHERE stream = 'test-c' AND revision = 2`,
    )
    expect(await problems()).toMatchObject([{ stream: 'test-c', kind: 'moved' }])
  })
})

describe('the MACs of a log', () => {
  const otherKey = macKeyOf(randomBytes(32))

  it('show a changed last event, which a hash chain does not show', async () => {
    await run(
      `UPDATE log.event SET data = '{"amount": 1}' WHERE stream = 'test-c' AND revision = 5`,
    )
    expect(await problems()).toMatchObject([
      { stream: 'test-c', kind: 'forged', revision: 5, eventId: await eventAt('test-c', 5) },
    ])
  })

  it('show an event that was added at the tail with the right link', async () => {
    const last = (await store.readStream('test-b')).at(-1)
    const [payment] = chain('test-b', last, [someEvent({ type: 'PaymentSucceeded' })], otherKey)
    await run(insert, 6, payment?.metadata)
    const { mac: _mac, ...withoutMac } = (await eventOf('test-a', 5)).metadata
    await run(
      `UPDATE log.event SET metadata = $1 WHERE stream = 'test-a' AND revision = 5`,
      withoutMac,
    )
    expect(await problems()).toMatchObject([
      { stream: 'test-a', kind: 'forged', revision: 5 },
      { stream: 'test-b', kind: 'forged', revision: 6, eventId: await eventAt('test-b', 6) },
    ])
  })

  it('show a rewritten stream with a valid chain', async () => {
    await rewrite('test-b', 4, otherKey)
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'forged', revision: 4 }])
  })
})

describe('seals', () => {
  const asOwner = async (sql: string) => {
    for (const table of ['app.seal', 'app.sealed_head'])
      await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER only_grows`)
    await database.pool.query(sql)
  }

  it('hold for a log that grows between them, and have the heads that changed', async () => {
    const first = await seal()
    await appendChained(store, 'test-b', 2)
    await appendChained(store, 'test-d', 1)
    const second = await seal()
    const third = await seal()
    expect([first, second, third].map(({ sequence, events }) => [sequence, events])).toEqual([
      [1, 18],
      [2, 21],
      [3, 21],
    ])
    expect([second.heads.count, second.changed.count, third.changed.count]).toEqual([4, 2, 0])
    expect(third.heads.root).toBe(second.heads.root)
    await appendChained(store, 'test-a', 1)
    expect(await verified()).toMatchObject({
      events: 22,
      streams: 4,
      problems: [],
      sealProblems: [],
    })
  })

  it('show a truncated tail, which chain and MACs do not show', async () => {
    await run(`DELETE FROM log.event WHERE stream = 'test-a' AND revision = 5`)
    expect(await problems()).toEqual([])
    await seal()
    await run(`DELETE FROM log.event WHERE stream = 'test-a' AND revision >= 3`)
    expect(await verified()).toMatchObject({
      problems: [{ stream: 'test-a', kind: 'truncated', revision: 3 }],
      sealProblems: [{ kind: 'not-reproduced', sequence: 1 }],
    })
  })

  it('name a removed stream, and the seal if the stream is removed with its heads', async () => {
    await seal()
    await appendChained(store, 'test-b', 1)
    await seal()
    await run(`DELETE FROM log.event WHERE stream = 'test-a'`)
    expect(await problems()).toMatchObject([{ stream: 'test-a', kind: 'truncated', revision: 0 }])
    await asOwner(`DELETE FROM app.sealed_head WHERE stream = 'test-a'`)
    const { problems: ofStreams, sealProblems } = await verified()
    expect(ofStreams).toEqual([])
    expect(sealProblems).toMatchObject([
      { kind: 'changed-heads', sequence: 1 },
      {
        kind: 'not-reproduced',
        sequence: 1,
        text: expect.stringMatching(/covers 18 events in 3 streams\. The log has 13 events\.$/),
      },
    ])
    await expect(seal()).rejects.toThrow('nothing was sealed')
  })

  it('show a rewritten stream with genuine MACs, even if it has grown since', async () => {
    await seal()
    await appendChained(store, 'test-b', 1)
    await rewrite('test-b', 0, macKey)
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'rewritten', revision: 5 }])
  })

  it('do not hide a more exact problem of the hash chain', async () => {
    await seal()
    for (const step of renumber(3, 1).split(';')) await run(step)
    await run(insert, 3, { previousHash: null })
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'inserted', revision: 3 }])
  })

  it('show events of different streams that were moved from one seal to another', async () => {
    await seal()
    await appendChained(store, 'test-b', 1)
    await seal()
    await run('ALTER TABLE log.event ALTER COLUMN position SET GENERATED BY DEFAULT')
    await run(`UPDATE log.event SET position = 1000 WHERE stream = 'test-c' AND revision = 5`)
    expect(await verified()).toMatchObject({
      problems: [],
      sealProblems: [{ kind: 'not-reproduced', sequence: 1 }],
    })
  })

  it('are only added by the database', async () => {
    await seal()
    for (const change of [
      'DELETE FROM app.seal',
      'UPDATE app.seal SET sequence = 7',
      'DELETE FROM app.sealed_head',
      'TRUNCATE app.sealed_head',
    ])
      await expect(database.pool.query(change)).rejects.toThrow('Seals are only added')
  })

  it.each<[string, string, object]>([
    [
      'changed',
      `UPDATE app.seal SET seal = jsonb_set(seal::jsonb, '{events}', '17')::json WHERE sequence = 1`,
      { kind: 'forged-seal', sequence: 1 },
    ],
    [
      'replaced by other content',
      `UPDATE app.seal SET seal = '{}' WHERE sequence = 2`,
      { kind: 'forged-seal', sequence: 2 },
    ],
    ['removed', 'DELETE FROM app.seal WHERE sequence = 1', { kind: 'missing-seal', sequence: 1 }],
    [
      'removed at the end, without its heads',
      'DELETE FROM app.seal WHERE sequence = 2',
      { kind: 'missing-seal', sequence: 2 },
    ],
    [
      'without a head',
      `DELETE FROM app.sealed_head WHERE stream = 'test-c'`,
      { kind: 'changed-heads', sequence: 1 },
    ],
    [
      'with a changed head',
      `UPDATE app.sealed_head SET revision = 4 WHERE stream = 'test-b' AND sequence = 2`,
      { kind: 'changed-heads', sequence: 2 },
    ],
  ])('are reported if one is %s', async (_, change, problem) => {
    await seal()
    await appendChained(store, 'test-b', 1)
    await seal()
    await asOwner(change)
    expect((await verified()).sealProblems).toMatchObject([problem])
    await expect(seal()).rejects.toThrow('nothing was sealed')
  })

  it('are missing in the database if the manifest has them', async () => {
    const published = [await seal()]
    await appendChained(store, 'test-b', 1)
    published.push(await seal())
    await run(`DELETE FROM log.event WHERE stream = 'test-b' AND revision = 6`)
    await asOwner(
      'DELETE FROM app.seal WHERE sequence = 2; DELETE FROM app.sealed_head WHERE sequence = 2',
    )
    expect(await verified()).toMatchObject({ problems: [], sealProblems: [] })
    const { sealProblems } = await verifyStored(store, database.pool, { published })
    expect(sealProblems).toMatchObject([
      { kind: 'missing-seal', sequence: 2 },
      { kind: 'changed-heads', sequence: 2 },
      { kind: 'not-reproduced', sequence: 2 },
    ])
  })

  it('and events of another AUDIT_KEY are reported once, not event by event', async () => {
    await seal()
    expect(await verified(randomBytes(32))).toMatchObject({
      problems: [],
      isOfAnotherKey: true,
      sealProblems: [{ kind: 'forged-seal', sequence: 1 }],
    })
  })
})

describe('billing events', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  let billing: ReturnType<typeof billingEventsIn>
  beforeEach(async () => {
    directory = await temporaryDirectory()
    billing = billingEventsIn(directory.path)
  })
  afterEach(() => directory.remove())

  it('verify and seal print the counts, and seal continues the manifest', async () => {
    const manifest = join(directory.path, 'seals.jsonl')
    expect(await billing('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^18 events in 3 streams: every chain holds and every MAC is genuine\. There is no seal/,
      ) as unknown,
    })
    expect((await billing('seal')).code).toBe(0)
    const sealed = await billing('seal', '--manifest', manifest)
    expect(sealed.stdout).toMatch(
      /^Seal 2 covers 18 events in 3 streams; 0 streams changed since the seal before it\.\nThe fingerprint of the public key is [0-9a-f]{64}\.\n.*seals\.jsonl has 2 seals, 2 of them new\./,
    )
    expect(sealed.stderr).toMatch(/Verifying: 18 events in .* events\/s/)
    expect((await billing('seal', '--manifest', manifest)).stdout).toMatch(/3 seals, 1 of them new/)
    const lines = (await readFile(manifest, 'utf8')).split('\n')
    expect(lines).toHaveLength(4)
    expect((await billing('verify', '--manifest', manifest)).stdout).toMatch(
      /The log has the state of all 3 seals; 0 events came after the last one\. The manifest \S+ has 3 of these seals\. No personal key is missing\.\n$/,
    )
    const { stdout: key } = await billing('public-key')
    expect(key).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    expect(key).toContain((JSON.parse(lines[0] ?? '') as { publicKey: string }).publicKey)
  }, 120_000)

  it('show no control character of a stored name, which could hide a problem on a terminal', async () => {
    await run(
      `INSERT INTO log.event (stream, revision, id, type, data, metadata)
       VALUES (E'a-\\x1b[1A\\x1b[2Kb\\nEvery chain holds.', 0, gen_random_uuid(), E'Evil\\x1b', '{}', '{}')`,
    )
    const { code, stdout } = await billing('verify')
    expect(code).toBe(1)
    expect(stdout).toContain('a-?[1A?[2Kb?Every chain holds.: Event ')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
    const shown = await billing('show', 'a-\u001b[1A\u001b[2Kb\nEvery chain holds.')
    expect(shown.stdout).toContain('Evil?')
    expect(shown.stdout + shown.stderr).not.toMatch(/[^\P{Cc}\n]/u)
  }, 30_000)

  it('give exit code 2 to an unknown option, and 1 to a change', async () => {
    for (const args of [['verify', '--nope'], ['seal', 'x'], ['nope']])
      expect(await billing(...args)).toMatchObject({ code: 2, stdout: '' })
    await run(`UPDATE log.event SET type = 'Changed' WHERE stream = 'test-b' AND revision = 2`)
    expect(await billing('verify')).toMatchObject({ code: 1 })
  }, 30_000)

  it('seal refuses a manifest that its seals do not continue, and writes nothing', async () => {
    const manifest = join(directory.path, 'seals.jsonl')
    expect((await billing('seal', '--manifest', manifest)).code).toBe(0)
    const published = await readFile(manifest, 'utf8')
    await database.pool.query('ALTER TABLE app.seal DISABLE TRIGGER only_grows')
    await database.pool.query('DELETE FROM app.seal')
    expect(await billing('seal', '--manifest', manifest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `do not continue the manifest ${manifest}: the database has no seal 1. Nothing was written.`,
      ) as unknown,
    })
    expect(await readFile(manifest, 'utf8')).toBe(published)
    const cut = await billing('verify', '--manifest', manifest)
    expect(cut).toMatchObject({
      code: 1,
      stdout:
        'Seal 1: The seal was removed from the database.\nThe verification found changes in 0 of 3 streams and 1 problem of seals.\n',
    })
    await writeFile(manifest, 'no seals\n')
    expect(await billing('verify', '--manifest', manifest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Line 1 of') as unknown,
    })
  }, 120_000)

  it('stats prints counts by type and category, and show refuses an unknown stream', async () => {
    const stats = JSON.parse((await billing('stats', '--json')).stdout) as unknown
    expect(stats).toMatchObject({
      events: 18,
      streams: 3,
      types: [{ type: 'SomethingHappened', events: 18 }],
      categories: [{ category: 'test', streams: 3 }],
    })
    expect((await billing('stats')).stdout).toMatch(
      /^18 events in 3 streams.*\n.*\n\n +18 {2}SomethingHappened/,
    )
    expect(await billing('show', 'test-z')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no stream 'test-z'") as unknown,
    })
  }, 120_000)
})
