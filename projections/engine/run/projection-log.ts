import { errorCode } from '#services/foundation/error-code'

/** The part of a logger that the engine uses. pino fits. */
export interface ProjectionLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The loggable fields of an error. PostgreSQL quotes whole rows in `detail`, and rows contain
 * personal data.
 */
export function withoutRows(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = errorCode(error)
  return {
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { sqlState: code }),
  }
}
