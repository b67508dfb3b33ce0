import { planById, type PlanId } from '#contracts/plans'
import type { Action, CardName } from './action.ts'
import type { Calendar } from './calendar.ts'
import { makePerson, type Person } from './person.ts'
import { createRandom, type Random } from './random.ts'
import { seededRandom } from './seeded-random.ts'

export interface PlannedCustomer {
  readonly person: Person
  /** By day; the actions of one day in their order. */
  readonly actions: readonly Action[]
}

/** Shares of all visitors. */
const visitors = { leaves: 0.04, neverVerifies: 0.06, neverBuys: 0.08, abandons: 0.09 }
const comesBackToCheckout = 0.45
const isDeclinedFirst = 0.06

/** The chance of each happening in one month of a subscription. */
const perMonth = {
  failure: 0.04,
  upgrade: 0.05,
  cancellation: 0.04,
  refund: 0.03,
  creditNote: 0.012,
  pause: 0.012,
  dispute: 0.008,
}
/** In one period of a longer plan. */
const downgrade = 0.25
const recovers = 0.7
const withdraws = 0.25
const returns = 0.2

const monthsOf = ({ interval, intervalCount }: ReturnType<typeof planById>) =>
  interval === 'year' ? 12 * intervalCount : intervalCount

/**
 * What customer number `index` does in the demo. It depends only on the arguments: never on the
 * system's time, an answer or another customer.
 */
export function planCustomer(seed: number, index: number, calendar: Calendar): PlannedCustomer {
  const random = createRandom(seededRandom(seed * 1_000_003 + index * 7_919))
  const person = makePerson(index, random)
  const all = [...lifeOf(random, calendar)]
  return { person, actions: all.filter(({ day }) => day < calendar.length) }
}

function* lifeOf(random: Random, calendar: Calendar): Generator<Action> {
  // The square root makes the number of new customers per day grow from day to day.
  const day = Math.floor(calendar.length * Math.sqrt(random.next()))
  const kind = random.next()
  if (kind < visitors.leaves) {
    yield { day, kind: 'enter-address' }
    return
  }
  const verifies = kind >= visitors.leaves + visitors.neverVerifies
  yield { day, kind: 'sign-up', verifies }
  if (!verifies) return
  const buyers = kind - visitors.leaves - visitors.neverVerifies - visitors.neverBuys
  if (buyers < 0) return
  if (buyers >= visitors.abandons) {
    yield* subscribe(day, random, calendar)
    return
  }
  yield { day, kind: 'abandon-checkout' }
  if (random.chance(comesBackToCheckout))
    yield* subscribe(day + days(random, 3, 20), random, calendar)
}

/** One period of a subscription, as far as it is known at its start. */
interface Period {
  readonly plan: PlanId
  /** The day on which the billing calendar of the subscription began. */
  readonly anchor: number
  /** Months from the anchor to the start of the period. */
  readonly elapsed: number
  /** Nothing happens before this day: an earlier happening still has effects. */
  readonly quietUntil: number
  /** False if the latest payment is disputed. */
  readonly isRefundable: boolean
}

/** From the payment to the end of the subscription, or of the demo. */
function* subscribe(day: number, random: Random, calendar: Calendar): Generator<Action> {
  const card = cardOf(random)
  yield { day, kind: 'pay', card, isDeclinedFirst: random.chance(isDeclinedFirst) }
  let period: Period | null = {
    plan: 'monthly',
    anchor: day,
    elapsed: 0,
    quietUntil: day + 2,
    isRefundable: true,
  }
  while (period !== null && startOf(period, calendar) < calendar.length)
    period = yield* live(period, card, random, calendar)
}

function startOf({ anchor, elapsed }: Period, calendar: Calendar): number {
  return calendar.addMonths(anchor, elapsed)
}

/**
 * One period with at most one happening. No action is on the first or the last day of a period:
 * the renewal is due at a second that differs between runs. Returns the next period; null after the
 * end of the subscription.
 */
function* live(
  period: Period,
  card: CardName,
  random: Random,
  calendar: Calendar,
): Generator<Action, Period | null> {
  const months = monthsOf(planById(period.plan))
  const start = startOf(period, calendar)
  const end = calendar.addMonths(period.anchor, period.elapsed + months)
  const first = Math.max(start + 2, period.quietUntil)
  const between = (from: number, to: number) => days(random, from, Math.max(from, to))
  const next: Period = {
    ...period,
    elapsed: period.elapsed + months,
    quietUntil: end + 2,
    isRefundable: true,
  }
  const happening = chooseHappening(random, period, months)
  if (end - first < 12 && happening !== null) return next

  switch (happening) {
    case null:
      return next
    case 'failure': {
      yield {
        day: end - between(3, 8),
        kind: 'change-card',
        card: 'failsLater',
        why: 'fails-later',
      }
      // The sandbox charges again 3, 8 and 15 days after the first attempt.
      if (random.chance(recovers)) {
        yield { day: end + random.pick([1, 2, 5, 6]), kind: 'change-card', card, why: 'recovers' }
        return { ...next, quietUntil: end + 10 }
      }
      return yield* comeBack(end + 16, random, calendar)
    }
    case 'upgrade': {
      const day = between(first, end - 4)
      const to = period.plan === 'monthly' && random.chance(0.6) ? 'six-month' : 'annual'
      yield { day, kind: 'upgrade', to, daysPaid: day - start }
      return { plan: to, anchor: day, elapsed: 0, quietUntil: day + 3, isRefundable: true }
    }
    case 'downgrade': {
      const day = between(first, end - 10)
      yield { day, kind: 'downgrade', to: 'monthly' }
      if (random.chance(withdraws)) {
        yield { day: day + between(1, 7), kind: 'keep-plan' }
        return next
      }
      return { ...next, plan: 'monthly' }
    }
    case 'cancellation': {
      const day = between(first, end - 8)
      yield { day, kind: 'cancel' }
      if (random.chance(withdraws)) {
        yield { day: day + between(1, 6), kind: 'withdraw-cancellation' }
        return next
      }
      return yield* comeBack(end + 3, random, calendar)
    }
    case 'refund':
      yield {
        day: between(first, end - 3),
        kind: 'refund',
        share: random.chance(0.4) ? 1 : random.pick([0.25, 0.5, 0.75]),
      }
      return next
    case 'creditNote':
      yield {
        day: between(first, end - 3),
        kind: 'credit-note',
        share: random.pick([0.1, 0.2, 0.5]),
        goesTo: random.pick(['card', 'balance'] as const),
      }
      return next
    case 'pause': {
      // The pause covers the next renewal.
      yield { day: between(first, end - 3), kind: 'pause' }
      const resumed = end + between(4, 20)
      yield { day: resumed, kind: 'resume' }
      return { ...next, quietUntil: calendar.addMonths(end, 1), isRefundable: false }
    }
    case 'dispute': {
      yield { day: end - between(3, 8), kind: 'change-card', card: 'disputes', why: 'disputes' }
      yield { day: end + 2, kind: 'change-card', card, why: 'disputes-no-more' }
      // The bank closes an unanswered dispute on the eighth day.
      if (random.chance(0.8))
        yield { day: end + between(3, 6), kind: 'answer-dispute', isWon: random.chance(0.5) }
      return { ...next, quietUntil: end + 11, isRefundable: false }
    }
  }
}

type Happening = keyof typeof perMonth | 'downgrade'

function chooseHappening(random: Random, period: Period, months: number): Happening | null {
  const isLong = months > 1
  const all: readonly (readonly [Happening, number])[] = [
    ['failure', perMonth.failure],
    ['upgrade', period.plan === 'annual' ? 0 : perMonth.upgrade],
    ['downgrade', isLong ? downgrade : 0],
    ['cancellation', isLong ? 3 * perMonth.cancellation : perMonth.cancellation],
    ['refund', period.isRefundable ? perMonth.refund : 0],
    ['creditNote', period.isRefundable ? perMonth.creditNote : 0],
    ['pause', isLong ? 0 : perMonth.pause],
    ['dispute', perMonth.dispute],
  ]
  let left = random.next()
  for (const [happening, chance] of all) {
    if (left < chance) return happening
    left -= chance
  }
  return null
}

/** Some customers subscribe again. */
function* comeBack(from: number, random: Random, calendar: Calendar): Generator<Action, null> {
  if (random.chance(returns)) yield* subscribe(from + days(random, 5, 60), random, calendar)
  return null
}

function cardOf(random: Random): CardName {
  const value = random.next()
  if (value < 0.6) return 'visa'
  if (value < 0.86) return 'mastercard'
  return value < 0.96 ? 'amex' : 'slowRefunds'
}

/** A whole number from `from` to `to`, both inclusive. */
function days(random: Random, from: number, to: number): number {
  return Math.floor(random.between(from, to + 1))
}
