import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'

const tableRow = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  key: z.array(z.string()),
})
const countRow = z.object({ count: integerColumn })
const sideColumn = z.record(z.string(), z.unknown()).nullable()
const bothSidesRow = z.object({ live: sideColumn, log: sideColumn })

/** The differences between a live table and the same table folded from the log. */
export interface TableDifference {
  readonly table: string
  /**
   * A difference of tables or columns, as a sentence. The rows are then not compared. Null if there
   * is none.
   */
  readonly structure: string | null
  readonly differingRows: number
  /** The first differing rows, by key. */
  readonly rows: readonly RowDifference[]
}

interface RowDifference {
  /** Primary key: column to value. */
  readonly key: Readonly<Record<string, unknown>>
  readonly where: 'both' | 'only live' | 'only log'
  /** The columns that differ. A value is null where that side has no such row. */
  readonly columns: readonly {
    readonly name: string
    readonly live: unknown
    readonly log: unknown
  }[]
}

interface Schemas {
  readonly live: string
  readonly log: string
  readonly maxRows: number
}

interface Table {
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/**
 * Compares all tables of both schemas, row by row by primary key, in the snapshot of the
 * connection's transaction. Returns an empty array if all tables are equal.
 */
export async function compareTables(
  connection: Queryable,
  schemas: Schemas,
): Promise<readonly TableDifference[]> {
  const live = await tablesOf(connection, schemas.live)
  const log = await tablesOf(connection, schemas.log)
  const differences: TableDifference[] = []
  for (const table of [...new Set([...live.keys(), ...log.keys()])].sort()) {
    const structure = structuralDifference(live.get(table), log.get(table))
    const key = log.get(table)?.key ?? []
    const difference =
      structure === null
        ? await compareRows(connection, table, key, schemas)
        : { table, structure, differingRows: 0, rows: [] }
    if (difference.structure !== null || difference.differingRows > 0) differences.push(difference)
  }
  return differences
}

async function tablesOf(
  connection: Queryable,
  schema: string,
): Promise<ReadonlyMap<string, Table>> {
  const rows = await allRows(
    connection,
    tableRow,
    `SELECT t.table_name::text AS table,
       (SELECT array_agg(format('%s %s %s', c.column_name, c.udt_name, CASE c.is_nullable WHEN 'NO' THEN 'NOT NULL' ELSE 'NULL' END) ORDER BY c.ordinal_position)
        FROM information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name) AS columns,
       coalesce((SELECT array_agg(k.column_name::text ORDER BY k.ordinal_position)
        FROM information_schema.table_constraints p JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name, table_name)
        WHERE p.constraint_type = 'PRIMARY KEY' AND p.table_schema = t.table_schema AND p.table_name = t.table_name), '{}') AS key
     FROM information_schema.tables t WHERE t.table_schema = $1 AND t.table_type = 'BASE TABLE'`,
    [schema],
  )
  return new Map(rows.map(({ table, columns, key }) => [table, { columns, key }]))
}

function structuralDifference(live: Table | undefined, log: Table | undefined): string | null {
  if (!live) return 'the table is missing'
  if (!log) return 'this release has no such table'
  if (log.key.length === 0) return 'the table has no primary key, so its rows cannot be compared'
  const [is, ought] = [live.columns.join(', '), log.columns.join(', ')]
  return is === ought ? null : `the columns are (${is}) and should be (${ought})`
}

async function compareRows(
  connection: Queryable,
  table: string,
  key: readonly string[],
  { live, log, maxRows }: Schemas,
): Promise<TableDifference> {
  const keys = key.map((column) => `"${column}"`).join(', ')
  const from = `FROM ${live}."${table}" live_row FULL JOIN ${log}."${table}" log_row USING (${keys}) WHERE live_row.* IS DISTINCT FROM log_row.*`
  const { count: differingRows } = await oneRow(
    connection,
    countRow,
    `SELECT count(*) AS count ${from}`,
  )
  if (differingRows === 0) return { table, structure: null, differingRows, rows: [] }
  const rows = await allRows(
    connection,
    bothSidesRow,
    // A side that does not have the row is NULL.
    `SELECT to_jsonb(live_row) AS live, to_jsonb(log_row) AS log ${from} ORDER BY ${keys} LIMIT ${maxRows}`,
  )
  return {
    table,
    structure: null,
    differingRows,
    rows: rows.map((row) => describeRow(row.live, row.log, key)),
  }
}

function describeRow(
  live: Record<string, unknown> | null,
  log: Record<string, unknown> | null,
  key: readonly string[],
): RowDifference {
  const some = live ?? log ?? {}
  const names = Object.keys(some).filter((name) => !key.includes(name))
  return {
    key: Object.fromEntries(key.map((name) => [name, some[name]])),
    where: live === null ? 'only log' : log === null ? 'only live' : 'both',
    columns: names
      .map((name) => ({ name, live: live?.[name] ?? null, log: log?.[name] ?? null }))
      .filter((column) => JSON.stringify(column.live) !== JSON.stringify(column.log)),
  }
}
