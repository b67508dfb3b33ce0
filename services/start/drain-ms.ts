/**
 * Milliseconds that a stopping product gives to requests in progress. `stop_grace_period` in the
 * compose files is longer.
 */
export const drainMs = 10_000
