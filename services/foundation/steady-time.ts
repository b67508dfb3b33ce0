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

const wall = () => systemClock.now().getTime()

/**
 * Linux does not count sleep in `performance.now()`. The uptime counts it, so a laptop that wakes
 * up has no jump.
 */
export const machineTime: TimeSources = {
  wall,
  elapsed: createElapsed({ wall, ran: () => performance.now(), uptime: () => uptime() * 1_000 }),
}

interface ElapsedSources {
  readonly wall: () => number
  /** Monotonic milliseconds, without the time that the machine sleeps. */
  readonly ran: () => number
  /** Monotonic milliseconds, with that time. Node.js reads it from a file. */
  readonly uptime: () => number
}

const longestUnreadMs = 1_000
const unevenMs = 100

/**
 * The uptime, in milliseconds. It is read once a second, and after every difference between the two
 * other clocks, such as a sleep: an event takes its time several times.
 */
export function createElapsed({ wall, ran, uptime }: ElapsedSources): () => number {
  let read = { wall: wall(), ran: ran(), uptime: uptime() }
  return () => {
    const passed = ran() - read.ran
    const isEven = Math.abs(wall() - read.wall - passed) < unevenMs
    if (isEven && passed < longestUnreadMs) return read.uptime + passed
    // The uptime has steps of 10 ms.
    const least = read.uptime + passed
    read = { wall: wall(), ran: ran(), uptime: Math.max(uptime(), least) }
    return read.uptime
  }
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
