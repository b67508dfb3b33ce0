import { escapeIdentifier, type Pool } from 'pg'

/** The tables of the product with a row that has one of `texts`, also as bytes: schema.table. */
export async function tablesWithText(
  pool: Pool,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  )
  const patterns = texts
    .flatMap((text) => [text, Buffer.from(text).toString('hex')])
    .map((text) => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`)
  const found: string[] = []
  for (const { schema, name } of rows) {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM ${escapeIdentifier(schema)}.${escapeIdentifier(name)} t WHERE t::text ILIKE ANY ($1) LIMIT 1`,
      [patterns],
    )
    if (rowCount) found.push(`${schema}.${name}`)
  }
  return found
}
