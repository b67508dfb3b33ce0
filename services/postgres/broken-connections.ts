/** A server that stops breaks all connections within this time. */
const togetherMs = 500

interface ConnectionLog {
  warn(fields: object, sentence: string): void
}

/**
 * Logs broken connections of all pools: one line for those that break together, with their number
 * and the first error.
 */
export function createBrokenConnections(log: ConnectionLog): (error: Error) => void {
  let connections = 0

  return (error) => {
    connections += 1
    if (connections > 1) return
    const write = () => {
      log.warn({ err: error, connections }, 'Database connections broke; the pools replace them.')
      connections = 0
    }
    setTimeout(write, togetherMs).unref()
  }
}
