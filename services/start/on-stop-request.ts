import { readFileSync } from 'node:fs'

/**
 * The terminal sends Ctrl-C to this process, and npm forwards the signal, so one key press may
 * arrive twice. Milliseconds.
 */
const repeatMs = 1_000
const parentCheckMs = 500

/**
 * Calls `stop` at the first request to stop: Ctrl-C, SIGTERM, or the end of the npm that runs this
 * process. A further signal, `repeatMs` or more after the first one, ends the process at once with
 * exit code 130.
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

/**
 * npm runs this process in a shell. SIGTERM to npm ends both, and this process gets a new parent.
 * SIGKILL to npm leaves the shell, and the shell gets a new parent.
 */
function onParentEnd(ended: () => void): void {
  const before = ancestors()
  const check = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(check)
    ended()
  }, parentCheckMs)
  check.unref()
}

/** The ids of the parent and, on Linux, of its parent. */
function ancestors(): string {
  return `${process.ppid} ${parentOf(process.ppid)}`
}

function parentOf(pid: number): string {
  try {
    // The name in parentheses may hold spaces and parentheses. The state and the parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
  } catch {
    return ''
  }
}
