import type { UsState } from '#contracts/profile-options'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { zonesByState } from '#services/foundation/zones-by-state'

/**
 * The time zone in which a merchant's days begin until it chooses one: that of the state in its
 * profile. Without a profile: the zone of New York, where the product's office is.
 */
export function timeZoneOfState(state: string | null): TimeZone {
  const [zone] = isUsState(state) ? zonesByState[state] : zonesByState['New York']
  const known = parseTimeZone(zone)
  if (known !== null) return known
  throw new Error(
    `This Node has no time zone ${zone}. Install a Node with full time zone data (full-icu).`,
  )
}

function isUsState(state: string | null): state is UsState {
  return state !== null && Object.hasOwn(zonesByState, state)
}
