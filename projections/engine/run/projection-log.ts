/** What the engine asks of a logger; pino is one. */
export interface ProjectionLog {
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
}

/** What may be logged of a failure: Postgres quotes whole rows in an error's `detail`, and rows name people. */
export function withoutRows(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    message: error.message,
    stack: error.stack,
    ...('code' in error ? { sqlState: error.code } : {}),
  }
}
