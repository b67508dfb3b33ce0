import { uptime } from 'node:os'
import { systemClock } from './clock.ts'

/**
 * The largest difference between two clocks that is a correction or an inaccuracy. A larger
 * difference means that one of the clocks is wrong.
 */
export const longestDifferenceMs = 3_600_000

/** Where a process reads its time. Tests inject it. */
export interface TimeSources {
  /** The system's time, in milliseconds since 1970. An operator or a time server can set it. */
  readonly wall: () => number
  /** Monotonic milliseconds from any start, with the time that the machine sleeps. */
  readonly elapsed: () => number
}

/**
 * Linux does not count sleep in `performance.now()`. The uptime counts it, so a laptop that wakes
 * up has no jump.
 */
export const machineTime: TimeSources = {
  wall: () => systemClock.now().getTime(),
  elapsed: () => uptime() * 1_000,
}

export interface TimeReading {
  /**
   * Milliseconds since 1970: the system's time, or during a jump the last right time plus the time
   * that has passed since.
   */
  readonly now: number
  /**
   * The system's time during a jump, in milliseconds since 1970. Null if the system's time has not
   * jumped.
   */
  readonly jumpedTo: number | null
}

/**
 * Reads the system's time and compares it with the monotonic clock. If the system's time moves more
 * than 1 hour further or less than the monotonic clock, it has jumped. The jump ends when the
 * system's time is within 1 hour of the expected time again. A smaller correction is followed.
 */
export function createSteadyTime({ wall, elapsed }: TimeSources): () => TimeReading {
  let right = { wall: wall(), elapsed: elapsed() }
  return () => {
    const read = { wall: wall(), elapsed: elapsed() }
    const expected = right.wall + read.elapsed - right.elapsed
    if (Math.abs(read.wall - expected) > longestDifferenceMs)
      return { now: expected, jumpedTo: read.wall }
    right = read
    return { now: read.wall, jumpedTo: null }
  }
}
