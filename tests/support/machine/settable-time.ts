import type { TimeSources } from '#services/foundation/steady-time'

/** A machine whose time stands still until the test moves it. */
export interface SettableTime extends TimeSources {
  /** Real time passes: both clocks move. */
  pass(ms: number): void
  /** An operator sets the system's time: the monotonic clock does not move. */
  jump(ms: number): void
}

export function settableTime(start: string): SettableTime {
  let wall = Date.parse(start)
  let elapsed = 0
  return {
    wall: () => wall,
    elapsed: () => elapsed,
    pass(ms) {
      wall += ms
      elapsed += ms
    },
    jump(ms) {
      wall += ms
    },
  }
}
