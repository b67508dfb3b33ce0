import { setMaxListeners } from 'node:events'
import { StartupError } from '#services/foundation/startup-error'

/**
 * Runs `work` with a signal that Ctrl-C and SIGTERM abort. A second Ctrl-C or SIGTERM ends the
 * process.
 * @throws StartupError with the message `whenStopped` if the operator stopped the work
 */
export async function withStopSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
  whenStopped: string | (() => string),
): Promise<T> {
  const stop = new AbortController()
  // Each fetch listens to the signal until the garbage collection: thousands of calls are no leak.
  setMaxListeners(0, stop.signal)
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new StartupError(typeof whenStopped === 'string' ? whenStopped : whenStopped())
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}
