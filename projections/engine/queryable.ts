/** What queries need of Postgres: a pool, a client or a transaction. */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[] }>
}
