import { StartupError } from '#services/foundation/startup-error'

/**
 * Runs `work` with a signal that Ctrl-C and SIGTERM abort. A second Ctrl-C or SIGTERM ends the
 * process.
 * @throws StartupError with the message `whenStopped` if the operator stopped the work
 */
export async function withStopSignal<T>(
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
