import { moneyMethod } from '#contracts/events/receivable-parts'
import { addDays, type Day } from '#services/finance/calendar'
import type { Random } from '../random.ts'
import type { Habit } from './habit.ts'
import type { PlannedAct } from './planned-act.ts'

interface IssuedInvoice {
  readonly issued: Day
  readonly due: Day
  /** Minor units. */
  readonly amount: number
}

const chances = { canceled: 0.01, disputed: 0.03, held: 0.02, returned: 0.01, overpaid: 0.01 }
/** A lost invoice is written off so many days after its due date. */
const writtenOffAfter = 150

/** What becomes of an invoice, in the order of time and without an end of the calendar. */
export function planActs(
  invoice: IssuedInvoice,
  habit: Habit,
  random: Random,
): readonly PlannedAct[] {
  return [...actsOf(invoice, habit, random)].toSorted((a, b) =>
    a.day < b.day ? -1 : a.day > b.day ? 1 : 0,
  )
}

function* actsOf(
  { issued, due, amount }: IssuedInvoice,
  habit: Habit,
  random: Random,
): Generator<PlannedAct> {
  const after = (from: number, to: number) => addDays(due, Math.floor(random.between(from, to + 1)))
  if (random.chance(chances.canceled)) {
    yield { day: addDays(issued, 2), act: { type: 'cancel-receivable', reason: 'Billed twice.' } }
    return
  }
  let open = amount
  if (random.chance(chances.disputed)) {
    yield {
      day: addDays(due, 4),
      act: { type: 'dispute-receivable', text: 'One visit was billed twice.', madeBy: 'merchant' },
    }
    const less = Math.round(amount * random.pick([0.1, 0.2, 0.3]))
    yield* agree(addDays(due, 11), less, open, random)
    open -= less
    yield* pay(laterDay(after(habit.paysFrom, habit.paysTo), addDays(due, 14)), open, open, random)
    return
  }
  if (random.chance(chances.held))
    yield {
      day: addDays(due, 1),
      act: { type: 'hold-reminders', reason: 'Waits for the insurer.', until: addDays(due, 21) },
    }
  if (random.chance(habit.isLost)) {
    yield {
      day: addDays(due, writtenOffAfter),
      act: {
        type: 'write-off-receivable',
        reason: 'The client closed its business.',
        openSeen: open,
      },
    }
    return
  }
  // No invoice is paid before the day after it was issued.
  const paid = laterDay(after(habit.paysFrom, habit.paysTo), addDays(issued, 1))
  if (paid > addDays(due, 10) && random.chance(habit.promises))
    yield* promise(addDays(due, 6), paid, random)
  if (random.chance(habit.inParts)) {
    const part = Math.round(open * random.pick([0.25, 0.4, 0.5]))
    yield* pay(paid, part, open, random)
    yield* pay(addDays(paid, Math.floor(random.between(7, 25))), open - part, open - part, random)
    return
  }
  if (random.chance(chances.returned)) {
    yield* payAgain(paid, open, random)
    return
  }
  yield* pay(paid, random.chance(chances.overpaid) ? open + 1_000 : open, open, random)
}

function* pay(day: Day, amount: number, openSeen: number, random: Random): Generator<PlannedAct> {
  yield {
    day,
    act: {
      type: 'record-payment',
      payment: {
        paymentId: random.uuid(),
        date: day,
        amount,
        method: random.pick(moneyMethod.options),
        note: null,
      },
      openSeen,
      surplusBecomesCredit: true,
      isEstimated: false,
    },
  }
}

/** The bank returns the check, and the client pays in another way. */
function* payAgain(day: Day, amount: number, random: Random): Generator<PlannedAct> {
  const paymentId = random.uuid()
  yield {
    day,
    act: {
      type: 'record-payment',
      payment: { paymentId, date: day, amount, method: 'check', note: 'Check 1187' },
      openSeen: amount,
      surplusBecomesCredit: false,
      isEstimated: false,
    },
  }
  const date = addDays(day, 4)
  yield {
    day: date,
    act: {
      type: 'reverse-payment',
      paymentId,
      why: 'returned',
      date,
      note: 'The bank returned the check.',
      creditIsCanceled: false,
    },
  }
  yield* pay(addDays(day, 12), amount, amount, random)
}

/** Some promises are kept: the day is that of the payment, or up to a week later. */
function* promise(day: Day, paid: Day, random: Random): Generator<PlannedAct> {
  const isKept = random.chance(0.6)
  const by = isKept ? addDays(paid, Math.floor(random.between(0, 7))) : addDays(paid, -3)
  if (by > day && by <= addDays(day, 30))
    yield { day, act: { type: 'promise-payment', by, madeBy: 'merchant' } }
}

function* agree(day: Day, less: number, openSeen: number, random: Random): Generator<PlannedAct> {
  yield {
    day,
    act: {
      type: 'issue-credit-memo',
      creditMemoId: random.uuid(),
      number: null,
      date: day,
      amount: less,
      reason: 'One visit was billed twice.',
      openSeen,
    },
  }
  yield { day, act: { type: 'resolve-dispute', outcome: 'The amount was reduced.' } }
}

function laterDay(one: Day, other: Day): Day {
  return one > other ? one : other
}
