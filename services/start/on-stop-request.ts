/** npm forwards Ctrl-C to a process that the terminal has signaled already, so one key press may arrive twice. */
const repeatMs = 1_000
const parentCheckMs = 500

/**
 * Calls `stop` at the first request to stop: Ctrl-C, SIGTERM, or the end of the npm that runs this process. A further signal,
 * `repeatMs` or more after the first one, ends the process at once with exit code 130.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let requestedAt: number | null = null

  function request(reason: string): void {
    requestedAt = performance.now()
    stop(reason)
  }

  function onSignal(reason: string): void {
    if (requestedAt === null) request(reason)
    else if (performance.now() - requestedAt >= repeatMs) process.exit(130)
  }

  process.on('SIGINT', () => onSignal('Ctrl-C'))
  process.on('SIGTERM', () => onSignal('SIGTERM'))
  if (process.env.npm_lifecycle_event === undefined) return
  onParentEnd(() => {
    if (requestedAt === null) request('npm ended')
  })
}

/** npm passes SIGTERM to its shell, and the shell ends without passing it on. What a process sees of that is a new parent. */
function onParentEnd(ended: () => void): void {
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    ended()
  }, parentCheckMs)
  check.unref()
}
