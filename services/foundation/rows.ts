import type { z } from 'zod'
import { reasonInWords } from './validation-messages.ts'
import type { Queryable, Statement } from './queryable.ts'

/*
 * Reads rows of PostgreSQL. A row is parsed, not asserted:
 * docs/decisions/0008-rows-parsed-with-zod.md. Columns that the schema does not name are dropped.
 */

type Row<Schema extends z.ZodObject> = Readonly<z.output<Schema>>

/** All rows of the statement. @throws BrokenRow */
export async function allRows<Schema extends z.ZodObject>(
  db: Queryable,
  schema: Schema,
  statement: string | Statement,
  values?: unknown[],
): Promise<readonly Row<Schema>[]> {
  const { rows } = await db.query(statement, values)
  return parseRows(schema, rows)
}

/** The first row, or undefined if there is none. @throws BrokenRow */
export async function firstRow<Schema extends z.ZodObject>(
  db: Queryable,
  schema: Schema,
  statement: string | Statement,
  values?: unknown[],
): Promise<Row<Schema> | undefined> {
  const { rows } = await db.query(statement, values)
  return rows.length === 0 ? undefined : parseRow(schema, rows[0])
}

/**
 * The only row of a statement that always returns one row.
 * @throws Error if there are no rows or several
 * @throws BrokenRow
 */
export async function oneRow<Schema extends z.ZodObject>(
  db: Queryable,
  schema: Schema,
  statement: string | Statement,
  values?: unknown[],
): Promise<Row<Schema>> {
  const { rows } = await db.query(statement, values)
  if (rows.length !== 1)
    throw new Error(
      `A statement returned ${rows.length} rows, and exactly 1 row was expected. ${whatToDo}`,
    )
  return parseRow(schema, rows[0])
}

/** Parses rows that a statement has returned. @throws BrokenRow */
export function parseRows<Schema extends z.ZodObject>(
  schema: Schema,
  rows: readonly unknown[],
): readonly Row<Schema>[] {
  return rows.map((row) => parseRow(schema, row))
}

function parseRow<Schema extends z.ZodObject>(schema: Schema, row: unknown): Row<Schema> {
  const parsed = schema.safeParse(row)
  if (parsed.success) return parsed.data
  // Only a broken row pays for the words.
  throw new BrokenRow(row, schema.safeParse(row, { error: reasonInWords }).error)
}

const whatToDo =
  "Start this release on the database, so that its migrations run. If the column belongs to a read model, rebuild the read model: 'billing projections rebuild'."

/**
 * A row does not have the columns that this release reads: a migration is missing, or another
 * release changed the table. The message names the column and no value, because a row can hold
 * personal data.
 */
export class BrokenRow extends Error {
  override readonly name = 'BrokenRow'
  constructor(row: unknown, error: z.ZodError | undefined) {
    const [issue] = error?.issues ?? []
    super(
      `The database returned a row that this release cannot read: ${problemOf(row, issue)} ${whatToDo}`,
    )
  }
}

/**
 * Names only the column: the path inside a JSON column can contain keys that are values of the row.
 */
function problemOf(row: unknown, issue: z.core.$ZodIssue | undefined): string {
  const [name, ...inside] = issue?.path ?? []
  if (issue === undefined || name === undefined) return 'it has no columns.'
  const column = `the column '${String(name)}'`
  const value: unknown =
    typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
  if (value === undefined) return `${column} is missing.`
  if (value === null) return `${column} is NULL.`
  return inside.length > 0
    ? `a value inside ${column} ${issue.message}`
    : `${column} ${issue.message}`
}
