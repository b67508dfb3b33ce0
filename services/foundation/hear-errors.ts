import type pg from 'pg'

/**
 * Keeps a broken connection of `pool` from ending the process: an `error` event without a listener
 * ends it. Call it for every pool.
 *
 * The pool itself listens to idle connections only, reports their errors and replaces them. A
 * killed server can send its last error also to a connection that is in use, or in the moment in
 * which a connection is taken or given back. The next statement on such a connection fails.
 * @param onIdleError called when an idle connection breaks
 */
export function hearErrors(
  pool: Pick<pg.Pool, 'on'>,
  onIdleError: (error: Error) => void = () => undefined,
): void {
  pool.on('error', onIdleError)
  pool.on('connect', (client) => client.on('error', () => undefined))
}
