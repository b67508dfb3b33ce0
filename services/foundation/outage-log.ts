/** What may be logged of an error: Postgres quotes whole rows in `detail`, and rows name people. */
export interface LoggedFailure {
  readonly message: string
  /** SQLSTATE, or the system's code of a network error. Not `code`: the logger hides fields of that name. */
  readonly errorCode?: string
  /** With the first failure only. */
  readonly stack?: string
}

export interface OutageFacts {
  /** Absent in the line that logs the end. */
  readonly failure?: LoggedFailure
  readonly [name: string]: unknown
}

/** pino is one. */
export interface WarningLog {
  warn(facts: OutageFacts, sentence: string): void
}

export interface OutageSentences {
  readonly began: string
  readonly lasts: string
  readonly over: string
}

export interface OutageLog {
  /** Logs the first failure with its stack; later ones once a minute, without. `facts` are logged beside. */
  failed(error: unknown, facts?: Readonly<Record<string, unknown>>): void
  /** After a success: logs one line if there was a failure before. */
  over(facts?: Readonly<Record<string, unknown>>): void
}

const reminderMs = 60_000

/**
 * Logs an outage that a retried task meets: its begin, its reason once a minute, its end. All of it at one level, so that
 * a log that shows the begin shows the end as well.
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

  const factsAt = (at: number) => ({ failures, seconds: Math.round((at - (began ?? at)) / 1_000) })

  return {
    failed(error, facts = {}) {
      const at = now()
      failures += 1
      if (began === null) {
        began = at
        lastLine = at
        log.warn({ failure: describe(error, true), ...facts }, sentences.began)
      } else if (at - lastLine >= reminderMs) {
        lastLine = at
        log.warn({ failure: describe(error, false), ...factsAt(at), ...facts }, sentences.lasts)
      }
    },
    over(facts = {}) {
      if (began === null) return
      log.warn({ ...factsAt(now()), ...facts }, sentences.over)
      began = null
      failures = 0
    },
  }
}

function describe(error: unknown, withStack: boolean): LoggedFailure {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    message: messageOf(error),
    ...('code' in error && typeof error.code === 'string' ? { errorCode: error.code } : {}),
    ...(withStack && error.stack !== undefined ? { stack: error.stack } : {}),
  }
}

/** An AggregateError (both address families of a host failed) has no message of its own. */
function messageOf(error: Error): string {
  if (error.message !== '' || !('errors' in error) || !Array.isArray(error.errors))
    return error.message
  return error.errors
    .map((each) => (each instanceof Error ? each.message : String(each)))
    .join(', ')
}
