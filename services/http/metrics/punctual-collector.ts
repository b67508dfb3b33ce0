import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from '#services/foundation/timeout'

/** Together with the rest of a scrape, less than 0.5 s. */
const waitMs = 400

/**
 * Makes collectors whose scrape never waits long for a slow database. A collector that takes longer
 * than 0.4 s continues, and the scrape has the values of its last run. `metrics_age_seconds` has
 * their age.
 * @param now monotonic milliseconds
 */
export function createPunctualCollectors(
  registry: Registry,
  now: () => number = () => performance.now(),
): (part: string, collect: () => Promise<void>) => () => Promise<void> {
  const age = new Gauge({
    name: 'metrics_age_seconds',
    help: 'Age of the values that a scrape read from the database, by part. 0: the scrape itself read them. Absent before the first values.',
    labelNames: ['part'],
    registers: [registry],
  })

  return (part, collect) => {
    let running: Promise<void> | null = null
    let readAt: number | null = null

    async function run(): Promise<void> {
      try {
        await collect()
        readAt = now()
      } finally {
        running = null
      }
    }

    return async () => {
      running ??= run()
      const isFresh = await withTimeout(
        waitMs,
        running.then(() => true),
        () => false,
      )
      if (isFresh) age.set({ part }, 0)
      else if (readAt !== null) age.set({ part }, (now() - readAt) / 1_000)
    }
  }
}
