import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'

/**
 * A reading of a scrape: `read`, or undefined after a failure, which the log reports once. The
 * metrics then omit the values.
 */
export function readMeasured<Measured>(
  what: string,
  read: () => Promise<Measured>,
  log: WarningLog,
): () => Promise<Measured | undefined> {
  const outage = createOutageLog(log, {
    began: `Reading ${what} for /metrics failed; the metrics omit the values.`,
    lasts: `Reading ${what} for /metrics still fails.`,
    over: `Reading ${what} for /metrics succeeds again.`,
  })
  return async () => {
    try {
      const measured = await read()
      outage.over()
      return measured
    } catch (error) {
      outage.failed(error)
      return undefined
    }
  }
}
