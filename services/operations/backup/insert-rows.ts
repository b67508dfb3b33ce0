import type pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { refusedData } from '#services/postgres/refused-data'

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
    const reason = refusedData(error)
    if (reason === null) throw error
    await tx.query('ROLLBACK TO SAVEPOINT inserted_rows')
    return reason
  }
  await tx.query('RELEASE SAVEPOINT inserted_rows')
  return null
}

function refusedRow({ file, table }: TableInFile, line: number, reason: string): StartupError {
  return new StartupError(
    `The database refuses line ${line} of ${file}, a row of ${table}: ${reason}. The file was changed after it was written, or another release wrote it. Use another backup. Nothing was restored.`,
  )
}
