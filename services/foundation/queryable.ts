/** A statement with a name is planned once for each connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
}

/**
 * The part of a pool, a client or a transaction that queries use. Read rows with `rows.ts`, which
 * parses them.
 */
export interface Queryable {
  query(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[] }>
}
