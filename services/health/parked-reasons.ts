import type { ParkedStream } from '#projections/engine/park/parked-streams'
import type { ParkedCustomer } from '#services/controls/parked-customers'
import { formatCount } from '#services/foundation/format-count'

/** An answer stays short: `projections status` and the log name all. */
const maxNamed = 5

/** The streams that a read model has parked, and how many more. */
export function parkedStreamReasons(parked: readonly ParkedStream[]): readonly string[] {
  return firstOf(
    parked.map(
      ({ name, event, reason }) =>
        `The stream ${event.stream} is parked in the read model ${name}: ${reason}`,
    ),
    (left) => `${left} more streams are parked.`,
  )
}

/** The customers that the controls have parked, and how many more. */
export function parkedCustomerReasons(parked: readonly ParkedCustomer[]): readonly string[] {
  return firstOf(
    parked.map(({ stream, reason }) => `The stream ${stream} is parked in the controls: ${reason}`),
    (left) => `${left} more streams are parked in the controls.`,
  )
}

function firstOf(reasons: readonly string[], more: (left: string) => string): readonly string[] {
  const left = reasons.length - maxNamed
  return left <= 0 ? reasons : [...reasons.slice(0, maxNamed), more(formatCount(left))]
}
