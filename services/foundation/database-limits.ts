/** How long the product waits for PostgreSQL, in milliseconds. Null: without a limit. */
export interface DatabaseLimits {
  /** For a free connection of the pool, and for a new connection to become usable. */
  readonly connectMs: number
  /** The server ends a statement that runs longer. */
  readonly statementMs: number | null
  /**
   * The client stops waiting for a statement. It is longer than `statementMs`: only a server that
   * does not answer at all, such as a frozen one, reaches it.
   */
  readonly answerMs: number | null
}

/**
 * The limits of every connection to PostgreSQL, by purpose. A statement of an operator's command or
 * a migration has no limit: a backup, a verification or the rewrite of a table takes as long as the
 * data is large, and a person watches it.
 */
export const databaseLimits = {
  /** What a person waits for: sessions, rate limits, codes, one customer's pages, webhooks. */
  requests: { connectMs: 3_000, statementMs: 5_000, answerMs: 6_000 },
  /** What reads many rows for a person: lists, history, reports, exports. */
  reading: { connectMs: 3_000, statementMs: 20_000, answerMs: 22_000 },
  /** What retries by itself: reactors, reconciler, clock. */
  background: { connectMs: 10_000, statementMs: 30_000, answerMs: 35_000 },
  /** Appends and pages of the log. A group commit waits for the commits of other processes. */
  log: { connectMs: 3_000, statementMs: 8_000, answerMs: 10_000 },
  /** As `log`, for a command: a page or a count of a cold log of 10 million events is slow. */
  logOfOperator: { connectMs: 10_000, statementMs: null, answerMs: null },
  /** Questions about the state of the database itself, such as which process runs it. */
  questions: { connectMs: 10_000, statementMs: 9_000, answerMs: 10_000 },
  /**
   * A connection that holds a lease. Its heartbeat ends it after 60 s without an answer, except
   * during CREATE INDEX and VACUUM (`lease.ts`), and the server then ends the statement.
   */
  leases: { connectMs: 10_000, statementMs: null, answerMs: null },
  operator: { connectMs: 10_000, statementMs: null, answerMs: null },
  migrations: { connectMs: 10_000, statementMs: null, answerMs: null },
} as const satisfies Record<string, DatabaseLimits>

/** The options of `pg` for these limits. */
export function clientOptions({ connectMs, statementMs, answerMs }: DatabaseLimits): {
  readonly connectionTimeoutMillis: number
  readonly statement_timeout?: number
  readonly query_timeout?: number
} {
  return {
    connectionTimeoutMillis: connectMs,
    ...(statementMs !== null && { statement_timeout: statementMs }),
    ...(answerMs !== null && { query_timeout: answerMs }),
  }
}
