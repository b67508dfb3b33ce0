/**
 * The product has two clocks, both injected. The business clock dates events, periods and reports,
 * and may follow the sandbox's clock. The security clock (sessions, codes, limits, signatures) is
 * real time.
 */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
