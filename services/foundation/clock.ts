/**
 * The two clocks, both handed in. The business clock dates events, periods and reports and may
 * follow a sandbox's; the security clock (sessions, codes, limits, signatures) is real time.
 */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
