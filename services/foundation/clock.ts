/**
 * The product has two clocks, both injected. The business clock dates events, periods and reports,
 * and may follow the sandbox's clock. The security clock (sessions, codes, limits, signatures) is
 * real time.
 */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * The clocks of two processes differ by less. A stored time that is further in the future comes
 * from a clock that was ahead and was set back since.
 */
export const clockToleranceMs = 60_000
