import type pg from 'pg'
import { errorCode } from '#services/foundation/error-code'
import { StartupError } from '#services/foundation/startup-error'

/** A row in a backup. `line` counts from 1. */
export interface RowInFile {
  readonly line: number
  /** The row as JSON. */
  readonly text: string
}

interface TableInFile {
  readonly file: string
  readonly table: string
  /** Inserts an array of rows: `$1::json`. */
  readonly insert: string
}

/**
 * Inserts rows of one table in one statement.
 * @throws StartupError that names the line, if the database refuses a row
 */
export async function insertRows(
  tx: pg.ClientBase,
  of: TableInFile,
  rows: readonly RowInFile[],
): Promise<void> {
  if ((await refusal(tx, of.insert, rows)) === null) return
  for (const row of rows) {
    const reason = await refusal(tx, of.insert, [row])
    if (reason !== null) throw refusedRow(of, row.line, reason)
  }
  throw refusedRow(of, rows[0]?.line ?? 0, 'or a later one')
}

/** Null: the rows are inserted. Otherwise none is, and the transaction continues. */
async function refusal(
  tx: pg.ClientBase,
  insert: string,
  rows: readonly RowInFile[],
): Promise<string | null> {
  await tx.query('SAVEPOINT inserted_rows')
  try {
    await tx.query(insert, [`[${rows.map(({ text }) => text).join(',')}]`])
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    await tx.query('ROLLBACK TO SAVEPOINT inserted_rows')
    return reason
  }
  await tx.query('RELEASE SAVEPOINT inserted_rows')
  return null
}

/**
 * What is wrong with the data, without a value of the row, which can be personal. Null for any
 * other failure, such as a lost connection.
 */
export function reasonOf(error: unknown): string | null {
  const code = errorCode(error) ?? ''
  // Classes of SQLSTATE: 22 data exception, 23 integrity constraint violation, 42 unknown name.
  if (!/^(22|23|42)/.test(code)) return null
  const { constraint, column } = error as { constraint?: unknown; column?: unknown }
  if (typeof constraint === 'string') return `it breaks the rule ${constraint}`
  if (typeof column === 'string') return `its column ${column} has no value that is allowed`
  return `SQLSTATE ${code}`
}

function refusedRow({ file, table }: TableInFile, line: number, reason: string): StartupError {
  return new StartupError(
    `The database refuses line ${line} of ${file}, a row of ${table}: ${reason}. The file was changed after it was written, or another release wrote it. Use another backup. Nothing was restored.`,
  )
}
