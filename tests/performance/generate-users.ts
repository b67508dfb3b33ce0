import { plans } from '#contracts/plans'
import { companyDomains, usStates } from '#contracts/profile-options'
import type { UserType } from '#contracts/admin/users'
import type { Plan, User } from '#projections/users/user'
import { openedUser } from '#projections/users/user'
import { familyNames, givenNames } from '../../scripts/billing/demo/names.ts'

const day = 86_400_000

const trades = [
  'dental',
  'roofing',
  'motors',
  'clinic',
  'law',
  'tutors',
  'build',
  'vet',
  'cpa',
  'books',
]
const cities = ['Duluth', 'Fargo', 'Marietta', 'Tulsa', 'Yuma']
const hosts = ['gmail.com', 'outlook.com', 'yahoo.com']

/**
 * The `index`-th of `count` users of a business that is four years old at `now`. 50 % of the users
 * pay or have paid, 1 % have two plans, 2 % are blocked, and 33 % have an address at one of three
 * large hosts. Every column takes several values, so that each sort order can be tested.
 */
export function generateUser(index: number, count: number, random: () => number, now: Date): User {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item
  const first = pick(givenNames)
  const last = pick(familyNames)
  const trade = pick(trades)
  const host =
    random() < 0.33 ? pick(hosts) : `${last.toLowerCase()}${trade}${index % 50_000}.example`
  const joined = now.getTime() - (1 - index / count) * 4 * 365 * day
  const level = (random() < 0.5 ? 4 : 1 + Math.floor(random() * 3)) as UserType
  const user = openedUser(
    `usr_${index.toString(16).padStart(6, '0')}`,
    `${first}.${last}${index}@${host}`.toLowerCase(),
    new Date(joined),
  )
  return {
    ...user,
    blocked: random() < 0.02,
    user_type: level,
    ...(index % 40 === 0
      ? { secondary_email: `accounts${index}@ledger.example`, is_primary_email_active: false }
      : {}),
    ...(level === 1
      ? {}
      : {
          full_name: `${first} ${last}`,
          company_name: `${last} ${trade}`,
          domain: inTurn(companyDomains, index),
          website_url: index % 3 === 0 ? `https://${host}` : null,
          address: `${index} Orchard Lane`,
          city: inTurn(cities, index),
          state: inTurn(usStates, index),
          zipcode: String(10_000 + (index % 90_000)),
          support_email: `help@${host}`,
          support_phone: `(218) 555-${String(index % 10_000).padStart(4, '0')}`,
        }),
    ...(level === 4
      ? {
          plans: plansOf(index, random, joined, now),
          spending: { usd: { paid: 3900 * (1 + Math.floor(random() * 40)), refunded: 0 } },
          refunds: index % 50 === 0 ? [refundOf(index)] : [],
          lost_disputes: index % 100 === 0 ? [`dispute_${index}`] : [],
        }
      : {}),
  }
}

/** Takes no random number, so a new column leaves the other columns as they are. */
function inTurn<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}

/** A refund that is still pending, so that it changes no sum of the user. */
function refundOf(index: number): User['refunds'][number] {
  return {
    id: `refund_${index}`,
    amount: 1000,
    currency: 'usd',
    kind: 'partial',
    status: 'pending',
    override: null,
  }
}

function plansOf(index: number, random: () => number, joined: number, now: Date): Plan[] {
  const isLive = random() < 0.6
  const until = isLive
    ? now.getTime() + random() * 30 * day
    : joined + random() * (now.getTime() - joined)
  const one = planOf(`subscription_${index}`, random, until, isLive)
  return random() < 0.02
    ? [
        one,
        planOf(
          `subscription_${index}_b`,
          random,
          now.getTime() + (random() - 0.5) * 60 * day,
          true,
        ),
      ]
    : [one]
}

function planOf(key: string, random: () => number, until: number, isLive: boolean): Plan {
  const plan = plans[
    random() < 0.8 ? 0 : 1 + Math.floor(random() * (plans.length - 1))
  ] as (typeof plans)[number]
  const paidUntil = new Date(until).toISOString()
  const from = new Date(until - 31 * day).toISOString()
  const paidTime = { periods: [{ from, until: paidUntil }], planPeriods: [] }
  const common = { key, id: plan.id, name: plan.name, paidTime }
  return isLive
    ? { ...common, status: 'active', endedAt: null }
    : { ...common, status: 'canceled', endedAt: paidUntil }
}
