import { StartupError } from '#services/foundation/startup-error'

/**
 * Does `work` until it is done or the operator stops it: Ctrl-C or SIGTERM aborts the signal. A second one ends the process.
 * @throws StartupError with `whenStopped`, for work that was stopped
 */
export async function untilStopped<T>(
  work: (signal: AbortSignal) => Promise<T>,
  whenStopped: string,
): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? new StartupError(whenStopped) : error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}
