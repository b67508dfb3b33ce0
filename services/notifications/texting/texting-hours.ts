import type { UsState } from '#contracts/profile-options'
import { zonesByState } from '#services/foundation/zones-by-state'

/** Local hours in which a person gets texts: from 8:00, before 20:00. */
const firstHour = 8
const endHour = 20

const stepMs = 15 * 60_000
/** Every window of a day is open at least once within two days. */
const maxSteps = (2 * 24 * 60 * 60_000) / stepMs

/** For a state that the list of states does not contain: both coasts of the mainland. */
const mainland = ['America/New_York', 'America/Los_Angeles']

/**
 * The first time from `now` on at which it is between 8:00 and 20:00 everywhere in the state: `now`
 * itself, or a quarter of an hour.
 */
export function nextTextingTime(state: string, now: Date): Date {
  const zones = isState(state) ? zonesByState[state] : mainland
  if (isOpen(zones, now)) return now
  const quarter = Math.ceil(now.getTime() / stepMs) * stepMs
  for (let step = 0; step <= maxSteps; step += 1) {
    const at = new Date(quarter + step * stepMs)
    if (isOpen(zones, at)) return at
  }
  throw new Error(`The time zones of ${state} have no hour between 8:00 and 20:00 in common.`)
}

function isOpen(zones: readonly string[], at: Date): boolean {
  return zones.every((zone) => {
    const hour = Number(hoursOf(zone).format(at))
    return hour >= firstHour && hour < endHour
  })
}

const formats = new Map<string, Intl.DateTimeFormat>()

function hoursOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23', timeZone })
  formats.set(timeZone, format)
  return format
}

function isState(text: string): text is UsState {
  return Object.hasOwn(zonesByState, text)
}
