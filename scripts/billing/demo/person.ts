import type { CompanyProfile } from '#contracts/events/account'
import { companyDomains, usStates } from '#contracts/profile-options'
import { familyNames, givenNames } from './names.ts'
import type { Random } from './random.ts'

/** An invented customer. */
export interface Person {
  readonly email: string
  readonly profile: CompanyProfile
}

const trades = ['Dental', 'Roofing', 'Motors', 'Clinic', 'Law', 'Tutors', 'Build', 'Vet', 'Books']
const streets = ['Orchard Lane', 'Harbor Street', 'Mill Road', 'Second Avenue', 'Lakeview Drive']
const cities = ['Duluth', 'Mankato', 'Portland', 'Savannah', 'Tucson', 'Boise']

/** `index` makes the address unique. */
export function makePerson(index: number, random: Random): Person {
  const first = random.pick(givenNames)
  const last = random.pick(familyNames)
  const trade = random.pick(trades)
  const host = `${last}-${trade}-${index}.example`.toLowerCase()
  return {
    email: `${first}.${last}@${host}`.toLowerCase(),
    profile: {
      fullName: `${first} ${last}`,
      companyName: `${last} ${trade}`,
      domain: random.pick(companyDomains),
      websiteUrl: `https://www.${host}`,
      address: `${1 + Math.floor(random.between(1, 9_000))} ${random.pick(streets)}`,
      city: random.pick(cities),
      state: random.pick(usStates),
      zipcode: String(Math.floor(random.between(10_000, 99_999))),
      supportEmail: `help@${host}`,
      supportPhone: `(218) 555-${Math.floor(random.between(1_000, 9_999))}`,
    },
  }
}
