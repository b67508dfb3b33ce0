import { usStates } from '#contracts/profile-options'
import type { ClientDetails } from '#contracts/events/client'
import { familyNames, givenNames } from '../names.ts'
import type { Random } from '../random.ts'

const firms = [
  'Builders',
  'Dental',
  'Orthodontics',
  'Montessori',
  'Charter School',
  'Little League',
]
const towns = [
  'Ridgeline',
  'Fern Ridge',
  'Bluebird',
  'Harlow',
  'Pinecrest',
  'Willamette',
  'Cascade',
]
const notes = [
  'Pays by check at the end of the month.',
  'Ask for the bookkeeper.',
  null,
  null,
  null,
]

/** An invented client of a merchant. `index` makes its address unique. */
export function inventClient(index: number, random: Random): ClientDetails {
  const [first, last] = [random.pick(givenNames), random.pick(familyNames)]
  const isFirm = random.chance(0.6)
  const name = isFirm ? `${random.pick(towns)} ${random.pick(firms)}` : `${first} ${last}`
  const host = name.toLowerCase().replaceAll(' ', '-')
  return {
    name,
    number: random.chance(0.5) ? `C-${1_000 + index}` : null,
    email: random.chance(0.9) ? `accounts-${index}@${host}.example` : null,
    phone: random.chance(0.7) ? `+1541555${String(100 + (index % 100)).padStart(4, '0')}` : null,
    state: random.chance(0.8) ? random.pick(usStates) : null,
    timeZone: null,
    note: random.pick(notes),
  }
}
