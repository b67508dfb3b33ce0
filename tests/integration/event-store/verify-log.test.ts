import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { chain } from '#services/event-store/audit/hash-chain'
import { signHeads } from '#services/event-store/audit/sign-heads'
import { readSignedHeads, writeSignedHeads } from '#services/event-store/audit/signed-head-table'
import { verifyLog } from '#services/event-store/audit/verify-log'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { someEvents } from '../../support/data/some-event.ts'
import { appendChained, tamper } from '../../support/event-store/chained-log.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling } from '../../support/product/run-billing.ts'

const auditKey = randomBytes(32)
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

async function problems(key = auditKey) {
  return (
    await verifyLog(store, { signedHeads: await readSignedHeads(database.pool), auditKey: key })
  ).problems
}

async function sign(): Promise<void> {
  const signed = await signHeads(store, new Date().toISOString(), {
    signedHeads: await readSignedHeads(database.pool),
    auditKey,
  })
  if (signed.kind === 'refused') throw new Error('nothing was signed')
  await writeSignedHeads(database.pool, signed.heads)
}

const run = (sql: string, ...values: unknown[]) => tamper(database.pool, sql, values)
const eventAt = async (stream: string, revision: number) =>
  (await store.readStream(stream))[revision]?.id
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
    let counted = 0
    const verified = await verifyLog(store, {
      signedHeads: [],
      auditKey,
      onEvents: (count) => (counted += count),
    })
    expect(verified).toMatchObject({ events: 18, problems: [] })
    expect([counted, verified.heads.size, verified.heads.get('test-b')?.revision]).toEqual([
      18, 3, 5,
    ])
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

describe('signed heads', () => {
  it('verify a log that grows between signatures', async () => {
    await sign()
    await appendChained(store, 'test-b', 2)
    await sign()
    await sign()
    expect(
      (await readSignedHeads(database.pool)).map(({ stream, revision }) => [stream, revision]),
    ).toEqual([
      ['test-a', 5],
      ['test-b', 5],
      ['test-b', 7],
      ['test-c', 5],
    ])
    expect(await problems()).toEqual([])
  })

  it('show a truncated tail, which a hash chain does not show', async () => {
    await run(`DELETE FROM log.event WHERE stream = 'test-a' AND revision = 5`)
    expect(await problems()).toEqual([])
    await sign()
    await run(`DELETE FROM log.event WHERE stream = 'test-a' AND revision >= 3`)
    expect(await problems()).toMatchObject([{ stream: 'test-a', kind: 'truncated', revision: 3 }])
  })

  it('show a removed stream', async () => {
    await sign()
    await run(`DELETE FROM log.event WHERE stream = 'test-a'`)
    expect(await problems()).toMatchObject([{ stream: 'test-a', kind: 'truncated', revision: 0 }])
  })

  it('show a rewritten stream with a valid chain, even if the stream has grown since', async () => {
    await sign()
    await appendChained(store, 'test-b', 1)
    const rewritten = chain('test-b', undefined, someEvents(7))
    for (const [revision, { id, data, metadata }] of rewritten.entries()) {
      await run(
        `UPDATE log.event SET id = $1, data = $2, metadata = $3 WHERE stream = 'test-b' AND revision = $4`,
        id,
        data,
        metadata,
        revision,
      )
    }
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'rewritten', revision: 5 }])
  })

  it('show a changed last event', async () => {
    await run(
      `UPDATE log.event SET data = '{"amount": 1}' WHERE stream = 'test-c' AND revision = 5`,
    )
    expect(await problems()).toEqual([])
    await run(
      `UPDATE log.event SET data = '{"amount": 3900, "currency": "usd"}' WHERE stream = 'test-c' AND revision = 5`,
    )
    await sign()
    await run(
      `UPDATE log.event SET data = '{"amount": 1}' WHERE stream = 'test-c' AND revision = 5`,
    )
    expect(await problems()).toMatchObject([{ stream: 'test-c', kind: 'rewritten', revision: 5 }])
  })

  it('do not hide a more exact problem of the hash chain', async () => {
    await sign()
    for (const step of renumber(3, 1).split(';')) await run(step)
    await run(insert, 3, { previousHash: null })
    expect(await problems()).toMatchObject([{ stream: 'test-b', kind: 'inserted', revision: 3 }])
  })

  it('are reported as forged if AUDIT_KEY did not sign them, and the database refuses to change or remove them', async () => {
    await sign()
    await expect(database.pool.query('DELETE FROM app.signed_head')).rejects.toThrow(
      'Signed heads are only added',
    )
    await expect(database.pool.query('UPDATE app.signed_head SET revision = 0')).rejects.toThrow(
      'Signed heads are only added',
    )
    await database.pool.query(
      `INSERT INTO app.signed_head VALUES ('test-a', 2, 'invented', now(), 'abcd')`,
    )
    expect(await problems()).toMatchObject([
      { stream: 'test-a', kind: 'forged-signature', revision: 2 },
    ])
    expect(await problems(randomBytes(32))).toHaveLength(3)
  })

  it('are refused for a log that was changed', async () => {
    await run(
      `UPDATE log.event SET data = '{"amount": 1}' WHERE stream = 'test-b' AND revision = 2`,
    )
    expect(
      await signHeads(store, new Date().toISOString(), { signedHeads: [], auditKey }),
    ).toMatchObject({ kind: 'refused', problems: [{ revision: 2 }] })
  })
})

describe('billing events seal --out', () => {
  // Without the signed heads in the database, such a file may be the only proof of the earlier log.
  it('replaces a file with earlier signed heads only with --force', async () => {
    const directory = await temporaryDirectory()
    try {
      const billing = billingEventsIn(directory.path)
      const copy = join(directory.path, 'seals.ndjson')
      await writeFile(copy, 'the heads of yesterday')
      expect(await billing('seal', '--out', copy)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${copy} already exists. Name another file, or replace this file with --force.\n`,
      })
      expect([await readFile(copy, 'utf8'), await readSignedHeads(database.pool)]).toEqual([
        'the heads of yesterday',
        [],
      ])
      expect((await billing('seal', '--force', '--out', copy)).code).toBe(0)
      expect((await readFile(copy, 'utf8')).trim().split('\n')).toHaveLength(3)
    } finally {
      await directory.remove()
    }
  }, 60_000)

  it('keeps the signed heads in the database if their file cannot be written, and reports that', async () => {
    const directory = await temporaryDirectory()
    try {
      const billing = billingEventsIn(directory.path)
      const nowhere = join(directory.path, 'nowhere', 'seals.ndjson')
      const { code, stderr } = await billing('seal', '--out', nowhere)
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /cannot be written \(ENOENT\).*\nThe signed heads are in the database: run the command again with another --out to write them to a file\.\n$/,
      )
      expect(await readSignedHeads(database.pool)).toHaveLength(3)
    } finally {
      await directory.remove()
    }
  }, 60_000)
})

describe('billing events', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  let billing: ReturnType<typeof billingEventsIn>
  beforeEach(async () => {
    directory = await temporaryDirectory()
    billing = billingEventsIn(directory.path)
  })
  afterEach(() => directory.remove())

  it('verify and seal print the counts, and verify reads the file of signed heads', async () => {
    const copy = join(directory.path, 'seals.ndjson')
    expect(await billing('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^18 events in 3 streams: every chain holds\. There are no signed heads/,
      ) as unknown,
    })
    const signed = await billing('seal', '--out', copy)
    expect(signed.code).toBe(0)
    expect(signed.stdout).toMatch(
      /^Signed the heads of 3 streams \(18 events\), and wrote them to .*seals\.ndjson \(\d+ bytes, SHA-256 [0-9a-f]{64}\)\.\nKeep that file away from the database: 'billing events verify --seals .*seals\.ndjson' reads it\.\n$/,
    )
    expect(signed.stderr).toMatch(/Verifying and signing: 18 events in .* events\/s/)
    expect((await billing('verify', '--seals', copy)).stdout).toMatch(
      /The log contains all 3 signed heads/,
    )
  }, 60_000)

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
  }, 60_000)

  it('verify exits with 1 for a truncated tail that only the file of signed heads shows, and for a broken file', async () => {
    const copy = join(directory.path, 'seals.ndjson')
    expect((await billing('seal', '--out', copy)).code).toBe(0)
    // The owner of the database can also remove the signed heads. Then only the file shows the
    // truncated tail.
    await run('ALTER TABLE app.signed_head DISABLE TRIGGER only_grows')
    await run('DELETE FROM app.signed_head')
    await run(`DELETE FROM log.event WHERE stream = 'test-a' AND revision = 5`)
    expect((await billing('verify')).code).toBe(0)
    const truncated = await billing('verify', '--seals', copy)
    expect(truncated).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^test-a: The event at revision 5 was removed.*\nThe verification found changes in 1 of 3 streams\.\n$/,
      ) as unknown,
    })
    await writeFile(copy, 'no signed heads')
    expect(await billing('verify', '--seals', copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not contain signed heads') as unknown,
    })
  }, 60_000)
})
