import { Gauge, type Registry } from 'prom-client'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { sharedRun } from '#services/foundation/shared-run'
import { withTimeout } from '#services/foundation/timeout'

/** What a scrape knows about one part of the product. */
interface Measured<Value> {
  /** The latest value. Undefined before the first value, and if it is older than `longestAgeMs`. */
  readonly value: Value | undefined
  /** Whether the value was read for this scrape. */
  readonly isFresh: boolean
}

/** Declares a part that scrapes read. Its result never rejects, and answers within `waitMs`. */
export type Measure = <Value>(
  part: MeasuredPart,
  read: () => Promise<Value>,
) => () => Promise<Measured<Value>>

/** The parts that are read from outside the process, with their names in the log. */
const parts = {
  projections: 'the state of the projections',
  outbox: 'the outbox',
  controls: 'the firings of controls',
  integrity: 'the age of verifications, seals and backups',
  messages: 'the messages to clients that are due',
  accounts: "how far merchants' accounts are compared",
  reconciler: 'the state of the reconciler',
  database: 'whether the database accepts writes',
  readiness: 'whether the process is ready',
} as const
type MeasuredPart = keyof typeof parts

export interface MeasureOptions {
  /** How long a scrape waits for a part. Default 500: a scraper waits for 1 s. */
  readonly waitMs?: number
  /** An older value is omitted: it no longer describes the product. Default 5 min. */
  readonly longestAgeMs?: number
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/**
 * A scrape waits up to `waitMs` for each part. If a part does not answer in time, the scrape has
 * the last value of the part, with its age in `metrics_age_seconds`. A read that takes longer than
 * its scrape continues, and later scrapes share its result. So a frozen database gets one statement
 * per part, however many scrapes wait.
 */
export function createMeasure(
  registry: Registry,
  log: WarningLog,
  { waitMs = 500, longestAgeMs = 300_000, now = () => performance.now() }: MeasureOptions = {},
): Measure {
  const age = new Gauge({
    name: 'metrics_age_seconds',
    help: 'Age of the values of a part. 0 if this scrape read them. Absent before the first value, and after 300 s: the values are then omitted.',
    labelNames: ['part'],
    registers: [registry],
  })

  return <Value>(part: MeasuredPart, read: () => Promise<Value>) => {
    const what = parts[part]
    const outage = createOutageLog(log, {
      began: `Reading ${what} for /metrics failed; the metrics show the last values for 5 min.`,
      lasts: `Reading ${what} for /metrics still fails.`,
      over: `Reading ${what} for /metrics succeeds again.`,
    })
    let last: { readonly value: Value; readonly at: number } | null = null
    /** Resolves with whether the read succeeded. */
    const reading = sharedRun(async () => {
      try {
        last = { value: await read(), at: now() }
        outage.over()
        return true
      } catch (error) {
        outage.failed(error)
        return false
      }
    })

    return async () => {
      const isFresh = await withTimeout(waitMs, reading(), () => false)
      const ageMs = last === null ? Infinity : now() - last.at
      if (last === null || ageMs > longestAgeMs) {
        age.remove({ part })
        return { value: undefined, isFresh }
      }
      age.set({ part }, isFresh ? 0 : ageMs / 1_000)
      return { value: last.value, isFresh }
    }
  }
}
