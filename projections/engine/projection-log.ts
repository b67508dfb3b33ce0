/** What the engine asks of a logger; pino is one. */
export interface ProjectionLog {
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
}
