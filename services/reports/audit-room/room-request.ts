import type { Month } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'

/** What the auditor asks for. */
export interface RoomRequest {
  readonly from: Month
  readonly to: Month
  /** The number of customers whose personal data the room has. */
  readonly sample: number
  /** A text of the auditor. Empty if the auditor gave none. */
  readonly seed: string
  readonly timeZone: TimeZone
  /** The business clock's time. */
  readonly computedAt: string
}
