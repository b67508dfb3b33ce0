import { addDays, type Day } from '#services/finance/calendar'
import { isoWeekday } from '../reminders/sending-times.ts'
import type { PortalInvoice } from './portal-invoice.ts'

/** Days on which a client can promise to pay. */
export interface PromiseDays {
  readonly first: Day
  readonly last: Day
  /** Two at most, the earlier one first. */
  readonly proposals: readonly Day[]
}

/** What the client can promise to pay. */
export interface PromiseOffer {
  /** `next`: nothing is overdue, so it is about what is due next. */
  readonly about: 'overdue' | 'next'
  readonly invoices: readonly PortalInvoice[]
  readonly days: PromiseDays
}

/** What the client has promised to pay on one day. */
export interface PromiseMade {
  readonly by: Day
  readonly invoices: readonly PortalInvoice[]
  /** For another date. Null: there is none. */
  readonly days: PromiseDays | null
}

export interface PromiseRules {
  readonly today: Day
  /** The latest day of any promise. */
  readonly last: Day
  readonly isSendingDay: (day: Day) => boolean
}

const friday = 5
/** A proposal leaves this many days at least. */
const minDays = 7

/**
 * A promise is about all that is overdue at once, or about what is due next if nothing is. Null if
 * all of it is promised, or nothing is due until the last day.
 */
export function promiseOffer(
  invoices: readonly PortalInvoice[],
  rules: PromiseRules,
): PromiseOffer | null {
  const possible = invoices.filter(
    ({ mayAct, dispute, onItsWay }) => mayAct && dispute === null && !onItsWay,
  )
  const late = possible.filter(({ daysOverdue }) => daysOverdue > 0)
  const nextDue = possible[0]?.dueDate
  const concerned = late.length > 0 ? late : possible.filter(({ dueDate }) => dueDate === nextDue)
  const chosen = concerned.filter((invoice) => !isPromised(invoice, rules.today))
  const days = promiseDays(chosen, rules)
  if (chosen.length === 0 || days === null) return null
  return { about: late.length > 0 ? 'overdue' : 'next', invoices: chosen, days }
}

/** The promises that have not passed, by day. */
export function promisesMade(
  invoices: readonly PortalInvoice[],
  rules: PromiseRules,
): readonly PromiseMade[] {
  const promised = invoices.filter(
    (invoice) => isPromised(invoice, rules.today) && invoice.dispute === null,
  )
  const days = new Set(promised.map(({ promisedBy }) => promisedBy).filter((day) => day !== null))
  return [...days].sort().map((by) => {
    const own = promised.filter(({ promisedBy }) => promisedBy === by)
    return { by, invoices: own, days: promiseDays(own, rules) }
  })
}

/** Null if no day is possible. */
function promiseDays(
  invoices: readonly PortalInvoice[],
  { today, last, isSendingDay }: PromiseRules,
): PromiseDays | null {
  const first = firstPromiseDay(invoices, today)
  if (first > last) return null
  const soonest = later(first, addDays(today, minDays))
  const firstFriday = addDays(soonest, (friday - isoWeekday(soonest) + 7) % 7)
  const proposals = [firstFriday, addDays(firstFriday, 7)]
    .map(sendingDayUntil)
    .filter((day) => day <= last)
  return { first, last, proposals: [...new Set(proposals)] }

  /** The Friday, or the sending day before it. */
  function sendingDayUntil(day: Day): Day {
    const before = Array.from({ length: 7 }, (_, back) => addDays(day, -back))
    return before.find((each) => each >= soonest && isSendingDay(each)) ?? day
  }
}

/** A promise for a day before a due date could be broken before the invoice is late. */
export function firstPromiseDay(
  invoices: readonly Pick<PortalInvoice, 'dueDate'>[],
  today: Day,
): Day {
  return invoices.map(({ dueDate }) => dueDate).reduce(later, today)
}

function isPromised({ promisedBy }: PortalInvoice, today: Day): boolean {
  return promisedBy !== null && promisedBy >= today
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other
}
