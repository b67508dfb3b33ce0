import { expect, it } from '@jest/globals'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { createTestDatabase } from '../../support/postgres/database.ts'

/**
 * The language of a server's database decides how a text sorts, but for a column with `COLLATE
 * "C"`. The indexes of a list have its orders. They begin with the class, which sorts nothing.
 */
it('a text column by which a list sorts has COLLATE "C"', async () => {
  const { pool, drop } = await createTestDatabase()
  try {
    for (const model of readModels) {
      const schema = schemaOf(model)
      await pool.query(
        `CREATE SCHEMA ${schema}; ${model.createTables(schema)}; ${model.createIndexes(schema)}`,
      )
    }
    const { rows } = await pool.query<{ place: string }>(
      `SELECT DISTINCT of.attrelid::regclass || '.' || of.attname AS place
       FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
       CROSS JOIN unnest(i.indkey::int2[]) AS k (attnum)
       JOIN pg_attribute of ON of.attrelid = i.indrelid AND of.attnum = k.attnum
       JOIN pg_collation l ON l.oid = of.attcollation
       JOIN pg_attribute first ON first.attrelid = i.indrelid AND first.attnum = (i.indkey::int2[])[0]
       WHERE first.attname = 'class' AND of.attname <> 'class' AND l.collname <> 'C'
       ORDER BY 1`,
    )
    expect(rows.map(({ place }) => place)).toEqual([])
  } finally {
    await drop()
  }
}, 60_000)
