import { backOff } from 'exponential-backoff'
import type pg from 'pg'
import type { Clock } from './clock.ts'
import { nameOfClock, readClockAt, type FollowedClock } from './followed-clock.ts'
import { createBackoff } from './backoff.ts'
import { createJoinedRuns } from './joined-runs.ts'
import { createOutageLog, type WarningLog } from './outage-log.ts'
import { repeat } from './repeat.ts'
import type { Sleep } from './sleep.ts'
import { StartupError } from './startup-error.ts'
import {
  createSteadyTime,
  longestDifferenceMs,
  machineTime,
  type TimeSources,
} from './steady-time.ts'
import { keepStoredClock, readStoredClock } from './stored-clock.ts'

const pollEveryMs = 500
/**
 * The longest time that the business clock lags a sandbox's clock that is advanced after an outage.
 */
const longestPauseMs = 10_000
const keepEveryMs = 10_000
/** The sandbox may start after the product. */
const firstReading = { numOfAttempts: 51, startingDelay: 200, timeMultiple: 1 }

export interface BusinessClock extends Clock {
  /** Why the time may be wrong, in one sentence that says what to do. Null if it is right. */
  problem(): string | null
  /**
   * Reads the followed clock now, and not at the next of two readings per second. Rejects if the
   * clock does not answer.
   */
  follow(): Promise<void>
  close(): Promise<void>
}

interface ClockLog extends WarningLog {
  error(fields: Readonly<Record<string, unknown>>, sentence: string): void
}

export interface BusinessClockOptions {
  readonly pool: pg.Pool
  readonly followed: FollowedClock
  readonly log: ClockLog
  readonly sleep?: Sleep
  readonly time?: TimeSources
  /**
   * The clock is not before this time, in milliseconds since 1970. A time that is more than 1 hour
   * ahead of a readable clock is ignored: it comes from a wrong clock.
   */
  readonly notBefore?: number | null
  /** Ends the first reading: no attempt follows an abort. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The clock of events, periods and reports: real time, or the clock at a URL (CLOCK_URL). A tester
 * can advance the sandbox's clock by any time. The business clock never runs backwards, also not
 * after a restart: the database keeps the latest value.
 *
 * - If the system's time jumps by more than 1 hour against the monotonic clock, the business clock
 *   continues by the monotonic clock. It stores nothing and ignores the followed clock, which may
 *   be on the same machine, until the system's time is right again.
 * - If the followed clock falls more than 1 hour behind, the business clock stands still and stores
 *   nothing.
 *
 * With 'own-sandbox', this process cannot read the followed clock. The business clock then
 * continues from the later one of the stored value and `notBefore`, however far ahead it is.
 * @throws StartupError if the stored value is more than 1 hour ahead of the followed clock
 * @throws Error if the followed clock does not answer with a time in 51 attempts, 200 ms apart
 */
export async function startBusinessClock(options: BusinessClockOptions): Promise<BusinessClock> {
  const { pool, followed, log } = options
  const url = followed.kind === 'url' ? followed.url : null
  const isReadable = followed.kind !== 'own-sandbox'
  const readTime = createSteadyTime(options.time ?? machineTime)
  // Read before the followed clock: another process may store a later value while the followed
  // clock is read.
  const stored = await readStoredClock(pool)
  const retry = () => options.signal?.aborted !== true
  let offsetMs = url === null ? 0 : await backOff(() => offsetOf(url), { ...firstReading, retry })
  const first = readTime().now + offsetMs
  if (isReadable && stored !== null && isTooFarAhead(stored, first))
    throw new StartupError(refusal(stored, first, followed))

  const { notBefore = null } = options
  const isUsable = notBefore !== null && !(isReadable && isTooFarAhead(notBefore, first))
  let furthest = Math.max(stored ?? 0, isUsable ? notBefore : 0)
  if (!isReadable) offsetMs = Math.max(0, furthest - readTime().now)
  let keptAt: number | null = null
  let loggedKind: ClockProblem['kind'] | null = null
  const stop = new AbortController()

  // One reading at a time: an earlier answer must not replace a later one.
  const readings = createJoinedRuns<'clock', null, void>(() => null)
  const readOnce = async () => void (await readings('clock', null, follow))
  const following = repeat(readOnce, {
    everyMs: pollEveryMs,
    backoff: createBackoff({ firstMs: pollEveryMs, longestMs: longestPauseMs }),
    outage: createOutageLog(log, outageSentences),
    signal: stop.signal,
    sleep: options.sleep,
  })
  return {
    now: () => new Date(read().now),
    problem() {
      const { problem } = read()
      return problem === null ? null : sentenceOf(problem, followed)
    },
    follow: readOnce,
    async close() {
      stop.abort()
      await following
      await keep()
    },
  }

  function read(): { readonly now: number; readonly problem: ClockProblem | null } {
    const { now, jumpedTo } = readTime()
    const present = now + offsetMs
    furthest = Math.max(furthest, present)
    const problem = problemOf({ now, jumpedTo, present })
    if ((problem?.kind ?? null) !== loggedKind) logChange(problem)
    return { now: furthest, problem }
  }

  function problemOf({
    now,
    jumpedTo,
    present,
  }: {
    now: number
    jumpedTo: number | null
    present: number
  }): ClockProblem | null {
    if (jumpedTo !== null) return { kind: 'jumped', expected: now, systemTime: jumpedTo }
    if (isReadable && isTooFarAhead(furthest, present))
      return { kind: 'stands-still', at: furthest, present }
    return null
  }

  /** One line for each change. */
  function logChange(problem: ClockProblem | null): void {
    loggedKind = problem?.kind ?? null
    if (problem === null)
      return log.warn({}, 'The business clock is right again, and its value is stored again.')
    const { kind: _, ...times } = problem
    log.error(
      Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, inWords(ms)])),
      logLines[problem.kind],
    )
  }

  async function follow(): Promise<void> {
    const { problem } = read()
    if (problem?.kind === 'jumped') return
    const before = offsetMs
    if (url !== null) {
      const offset = await offsetOf(url)
      // The clock at the URL may have jumped with the system's time.
      if (readTime().jumpedTo !== null) return
      offsetMs = offset
    }
    const wasAdvanced = Math.abs(offsetMs - before) > 1_000
    if (wasAdvanced || keptAt === null || performance.now() - keptAt > keepEveryMs) {
      await keep()
      keptAt = performance.now()
    }
  }

  async function keep(): Promise<void> {
    const { now, problem } = read()
    if (problem === null) await keepStoredClock(pool, new Date(now))
  }

  async function offsetOf(from: string): Promise<number> {
    const there = await readClockAt(from)
    return there - readTime().now
  }
}

const outageSentences = {
  began: 'Reading or storing the business clock failed; the clock continues from its last value.',
  lasts: 'Reading or storing the business clock still fails.',
  over: 'Reading and storing the business clock succeeds again.',
}

/** Times are milliseconds since 1970. */
type ClockProblem =
  | { readonly kind: 'jumped'; readonly expected: number; readonly systemTime: number }
  | { readonly kind: 'stands-still'; readonly at: number; readonly present: number }

const logLines = {
  jumped:
    "The system's time jumped by more than 1 hour; /readyz answers 503, and the business clock ignores and does not store the jump.",
  'stands-still':
    'The followed clock is more than 1 hour behind the business clock; /readyz answers 503, and the business clock stands still.',
}

function sentenceOf(problem: ClockProblem, followed: FollowedClock): string {
  switch (problem.kind) {
    case 'jumped':
      return `The system's time jumped to ${inWords(problem.systemTime)}, and ${inWords(problem.expected)} was expected: correct the system's time, or restart the product if the system's time is right.`
    case 'stands-still':
      return `The business clock stands still at ${inWords(problem.at)}, because ${nameOfClock(followed)} is at ${inWords(problem.present)}: correct that clock, or ${repair} if that clock is right.`
  }
}

function refusal(stored: number, present: number, followed: FollowedClock): string {
  const name = nameOfClock(followed)
  return `The stored value of the business clock, ${inWords(stored)}, is more than 1 hour ahead of ${name}, ${inWords(present)}: correct ${name} if it is wrong, otherwise ${repair}.`
}

const repair = "stop the product and run 'npm run billing -- clock reset'"

/** Whether a stored or shown time can only come from a wrong clock. Milliseconds since 1970. */
export function isTooFarAhead(time: number, present: number): boolean {
  return time - present > longestDifferenceMs
}

function inWords(ms: number): string {
  return new Date(ms).toISOString()
}
