import { plans } from '#contracts/plans'
import type { Plan, User, UserType } from '#projections/users/user'
import { openedUser } from '#projections/users/user'

const day = 86_400_000

/** Numbers from 0 to 1 that are the same every run (mulberry32). */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const given = [
  'Dana',
  'Rosa',
  'Tom',
  'Nina',
  'Oscar',
  'Lena',
  'Ivan',
  'Maya',
  'Hugo',
  'Pia',
  'Sam',
  'Vera',
  'Karl',
  'Elif',
  'Jon',
]
const family = [
  'Whitlock',
  'Delmonte',
  'Lindqvist',
  'Castellanos',
  'Osei',
  'Harbor',
  'Kestrel',
  'Alder',
  'Frost',
  'Quist',
  'Birch',
  'Moss',
]
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
const hosts = ['gmail.com', 'outlook.com', 'yahoo.com']

/**
 * A business four years old at `now`: half of the users pay or have paid, one in a hundred pays for
 * two things, two in a hundred are blocked, and a third write from one of three large hosts.
 */
export function generateUser(index: number, count: number, random: () => number, now: Date): User {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item
  const first = pick(given)
  const last = pick(family)
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
    ...(level === 1
      ? {}
      : {
          full_name: `${first} ${last}`,
          company_name: `${last} ${trade}`,
          domain: 'Other',
          address: `${index} Orchard Lane`,
          city: 'Duluth',
          state: 'Minnesota',
          zipcode: '55802',
          support_email: `help@${host}`,
          support_phone: '(218) 555-0147',
        }),
    ...(level === 4
      ? {
          plans: plansOf(index, random, joined, now),
          spending: { usd: { paid: 3900 * (1 + Math.floor(random() * 40)), refunded: 0 } },
        }
      : {}),
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
  return {
    key,
    id: plan.id,
    name: plan.name,
    status: isLive ? 'active' : 'canceled',
    paidUntil: new Date(until).toISOString(),
    endedAt: null,
  }
}
