import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { assertEventRows } from '#services/event-store/postgres/rows'
import { bytesColumn, dateColumn, instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, BrokenRow, firstRow, oneRow } from '#services/foundation/rows'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const personRow = z.object({ user_id: z.string(), email: z.string(), visits: integerColumn })

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.drop())

/** The message of the BrokenRow. */
async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(BrokenRow)
  return (error as BrokenRow).message
}

const whatToDo =
  "Start this release on the database, so that its migrations run. If the column belongs to a read model, rebuild the read model: 'billing projections rebuild'."

describe('a parsed row', () => {
  it('has the columns of the schema, converted, without other columns', async () => {
    const people = `SELECT 'usr_' || n AS user_id, 'dana@example.com' AS email, n::bigint AS visits, 'x' AS later FROM generate_series(1, 2) AS n`
    expect(await allRows(db.pool, personRow, people)).toEqual([
      { user_id: 'usr_1', email: 'dana@example.com', visits: 1 },
      { user_id: 'usr_2', email: 'dana@example.com', visits: 2 },
    ])
  })

  it('has the types of the columns', async () => {
    const row = await oneRow(
      db.pool,
      z.object({
        at: dateColumn,
        instant: instantColumn,
        count: integerColumn,
        sum: integerColumn,
        bytes: bytesColumn,
        none: instantColumn.nullable(),
      }),
      `SELECT timestamptz '2026-03-03 09:12:00Z' AS at, timestamptz '2026-03-03 10:12:00+01' AS instant,
         count(*) AS count, sum(-5::bigint) AS sum, '\\x00ff'::bytea AS bytes, NULL::timestamptz AS none`,
    )
    expect(row).toEqual({
      at: new Date('2026-03-03T09:12:00Z'),
      instant: '2026-03-03T09:12:00.000Z',
      count: 1,
      sum: -5,
      bytes: Buffer.of(0, 255),
      none: null,
    })
  })

  it('comes from a pool, a client, a transaction and a named statement with values', async () => {
    const statement = { name: 'doubled', text: 'SELECT $1::int * 2 AS n', values: [21] }
    const client = await db.pool.connect()
    const read = (from: Queryable) => oneRow(from, z.object({ n: z.int() }), statement)
    try {
      expect([await read(db.pool), await read(client), await read(client)]).toEqual([
        { n: 42 },
        { n: 42 },
        { n: 42 },
      ])
    } finally {
      client.release()
    }
    expect(await allRows(db.pool, z.object({ n: z.int() }), 'SELECT $1::int AS n', [7])).toEqual([
      { n: 7 },
    ])
  })

  it('is undefined if there is no first row', async () => {
    const some = 'SELECT n FROM generate_series(1, 2) AS n WHERE n > $1 ORDER BY n'
    const row = z.object({ n: z.int() })
    expect(await firstRow(db.pool, row, some, [0])).toEqual({ n: 1 })
    expect(await firstRow(db.pool, row, some, [2])).toBeUndefined()
  })

  it('is the only row of its statement, otherwise the statement fails', async () => {
    const row = z.object({ n: z.int() })
    for (const [count, rows] of [
      [0, '0 rows'],
      [2, '2 rows'],
    ] as const) {
      await expect(
        oneRow(db.pool, row, 'SELECT n FROM generate_series(1, $1) AS n', [count]),
      ).rejects.toThrow(`A statement returned ${rows}, and exactly 1 row was expected. ${whatToDo}`)
    }
  })
})

describe('a row that breaks its schema is refused with a sentence that', () => {
  it('names the missing column', async () => {
    expect(
      await refusal(allRows(db.pool, personRow, `SELECT 'usr_1' AS user_id, 1::bigint AS visits`)),
    ).toBe(
      `The database returned a row that this release cannot read: the column 'email' is missing. ${whatToDo}`,
    )
  })

  it('names the column that is NULL', async () => {
    expect(
      await refusal(
        firstRow(
          db.pool,
          personRow,
          `SELECT 'usr_1' AS user_id, NULL AS email, 1::bigint AS visits`,
        ),
      ),
    ).toBe(
      `The database returned a row that this release cannot read: the column 'email' is NULL. ${whatToDo}`,
    )
  })

  it.each([
    ['text', z.string(), '41', 'must be a text.'],
    ['integer', z.int(), `'41'::text`, 'must be a number.'],
    ['boolean', z.boolean(), '41', 'must be true or false.'],
    ['timestamptz', dateColumn, `'2026-03-03'::text`, 'must be a timestamp.'],
    ['instant', instantColumn, `timestamptz 'infinity'`, 'must be a timestamp.'],
    ['bigint', integerColumn, '41::integer', 'must be a bigint.'],
    [
      'bigint',
      integerColumn,
      '9007199254740993',
      'must be a whole number that JavaScript can hold.',
    ],
    ['bytea', bytesColumn, `'dana'::text`, 'must be binary data.'],
    ['state', z.enum(['running', 'paused']), `'asleep'`, 'must be one of running, paused.'],
  ])('says what a column of the type %s must be', async (_type, column, value, reason) => {
    expect(
      await refusal(oneRow(db.pool, z.object({ value: column }), `SELECT ${value} AS value`)),
    ).toBe(
      `The database returned a row that this release cannot read: the column 'value' ${reason} ${whatToDo}`,
    )
  })

  it('has no value of the row, and no key of a JSON column', async () => {
    const row = z.object({ user_id: z.string(), plans: z.record(z.string(), z.int()) })
    const message = await refusal(
      oneRow(
        db.pool,
        row,
        `SELECT 'usr_1' AS user_id, '{"dana@example.com": "Orchard Lane"}'::jsonb AS plans`,
      ),
    )
    expect(message).toBe(
      `The database returned a row that this release cannot read: a value inside the column 'plans' must be a number. ${whatToDo}`,
    )
  })
})

describe('the rows of an event result', () => {
  const event = {
    position: '1',
    stream: 'account-usr_1',
    revision: 0,
    id: '0e3b1c0e-0000-4000-8000-000000000000',
    type: 'AccountOpened',
    data: {},
    metadata: {},
  }

  it('are accepted if the first row has every column, whatever its JSON is', () => {
    expect(() => assertEventRows([])).not.toThrow()
    expect(() => assertEventRows([{ ...event, data: 'damaged', metadata: null }])).not.toThrow()
  })

  it.each([
    ['position', { ...event, position: 1 }, 'must be a text.'],
    ['revision', { ...event, revision: '0' }, 'must be a number.'],
    ['metadata', { ...event, metadata: undefined }, 'is missing.'],
  ])('are refused if the column %s is another', (column, row, reason) => {
    expect(() => assertEventRows([row])).toThrow(
      `The database returned a row that this release cannot read: the column '${column}' ${reason} ${whatToDo}`,
    )
  })
})
