import type { UsState } from '#contracts/profile-options'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { zonesByState } from '#services/foundation/zones-by-state'
import type { RemindedClient } from './reminded.ts'

/** A text to a client without a state or a zone suits each of them. */
const contiguousZones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
]

/**
 * The zone of a client's days and sending hour: its own, else its state's, else the merchant's. And
 * all zones in which it may be, which a text suits.
 */
export function clientZones(
  { state, timeZone }: { readonly state: string | null; readonly timeZone: string | null },
  merchantZone: TimeZone,
): Pick<RemindedClient, 'timeZone' | 'textZones'> {
  const own = timeZone === null ? null : parseTimeZone(timeZone)
  const ofState = isState(state) ? zonesOf(zonesByState[state]) : []
  return {
    timeZone: own ?? ofState[0] ?? merchantZone,
    textZones: ofState.length > 0 ? ofState : own === null ? zonesOf(contiguousZones) : [own],
  }
}

const isState = (name: string | null): name is UsState =>
  name !== null && Object.hasOwn(zonesByState, name)

const zonesOf = (names: readonly string[]): readonly TimeZone[] =>
  names.map(parseTimeZone).filter((zone) => zone !== null)
