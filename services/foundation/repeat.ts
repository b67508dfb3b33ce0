import type { Backoff } from './backoff.ts'
import type { OutageLog } from './outage-log.ts'
import { sleep, type Sleep } from './sleep.ts'

export interface RepeatOptions {
  /** From the end of one round to the next while rounds succeed. */
  readonly everyMs: number
  /** From the end of one round to the next while rounds fail. */
  readonly backoff: Backoff
  readonly outage: OutageLog
  readonly signal: AbortSignal
  readonly sleep?: Sleep | undefined
}

/**
 * Repeats `round` until `signal` aborts, with backoff while `round` fails (`createBackoff`).
 * Resolves after the last round. Never rejects.
 */
export async function repeat(round: () => Promise<void>, options: RepeatOptions): Promise<void> {
  const { everyMs, backoff, outage, signal } = options
  const wait = options.sleep ?? sleep
  while (!signal.aborted) {
    let pauseMs = everyMs
    try {
      await round()
      backoff.reset()
      outage.over()
    } catch (error) {
      // A round that fails because of the abort is not an outage.
      if (signal.aborted) return
      pauseMs = backoff.next()
      outage.failed(error, { againInMs: pauseMs })
    }
    if (!signal.aborted) await wait(pauseMs, signal)
  }
}
