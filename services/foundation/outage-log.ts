import { errorCode } from './error-code.ts'
import { errorMessage } from './error-message.ts'

/**
 * The parts of an error that may be logged. `detail` is left out: PostgreSQL quotes whole rows
 * there, with personal data.
 */
interface LoggedFailure {
  readonly message: string
  /**
   * SQLSTATE, or the system's code of a network error. The name is not `code` because the logger
   * hides fields named `code`.
   */
  readonly errorCode?: string
  /** Only with the first failure. */
  readonly stack?: string
}

interface OutageFields {
  /** Absent in the line that logs the end. */
  readonly failure?: LoggedFailure
  readonly [name: string]: unknown
}

/** A part of pino's logger. */
export interface WarningLog {
  warn(fields: OutageFields, sentence: string): void
}

export interface OutageSentences {
  readonly began: string
  readonly lasts: string
  readonly over: string
}

export interface OutageLog {
  /**
   * Logs the first failure with its stack. Logs later failures once per minute, without a stack.
   * `fields` are added to the line.
   */
  failed(error: unknown, fields?: Readonly<Record<string, unknown>>): void
  /** Call after a success: logs one line if an outage was logged before. */
  over(fields?: Readonly<Record<string, unknown>>): void
}

const reminderMs = 60_000

/**
 * Logs an outage of a retried task: its start, its reason once per minute, and its end. All lines
 * have one level, so that a log that shows the start also shows the end.
 * @param now monotonic milliseconds
 */
export function createOutageLog(
  log: WarningLog,
  sentences: OutageSentences,
  now: () => number = () => performance.now(),
): OutageLog {
  let began: number | null = null
  let lastLine = 0
  let failures = 0

  const fieldsAt = (at: number) => ({ failures, seconds: Math.round((at - (began ?? at)) / 1_000) })

  return {
    failed(error, fields = {}) {
      const at = now()
      failures += 1
      if (began === null) {
        began = at
        lastLine = at
        log.warn({ failure: describe(error, true), ...fields }, sentences.began)
      } else if (at - lastLine >= reminderMs) {
        lastLine = at
        log.warn({ failure: describe(error, false), ...fieldsAt(at), ...fields }, sentences.lasts)
      }
    },
    over(fields = {}) {
      if (began === null) return
      log.warn({ ...fieldsAt(now()), ...fields }, sentences.over)
      began = null
      failures = 0
    },
  }
}

function describe(error: unknown, withStack: boolean): LoggedFailure {
  const code = errorCode(error)
  const stack = withStack && error instanceof Error ? error.stack : undefined
  return {
    message: errorMessage(error),
    ...(code === undefined ? {} : { errorCode: code }),
    ...(stack === undefined ? {} : { stack }),
  }
}
