/**
 * Runs `work` one at a time. A call during a run gets the result of that run, so that callers of a
 * dependency that does not answer start no further work.
 */
export function sharedRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => (running ??= work().finally(() => (running = null)))
}
