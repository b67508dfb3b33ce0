import { z } from 'zod'

/** A day, `yyyy-mm-dd`, in the merchant's time zone. Texts of days sort in the order of time. */
const day = z.string()

/**
 * What a receivable's row remembers of its events: enough to say what was open at the end of any
 * day, with which due date, and what was paid. Amounts in minor units. Stored as JSON.
 */
export const receivableHistory = z.object({
  /** The first day on which the invoice counts, and its amount as it was added. */
  since: day,
  added: z.int(),
  /** The number of ReceivableAdded in the log: the row of the first movement. */
  addedNumber: z.int(),
  /** The later changes of what is open. */
  movements: z.array(z.object({ day, amount: z.int() })),
  /** The later changes of what was invoiced: changed amounts, credit memos, cancellations. */
  invoiced: z.array(z.object({ day, amount: z.int() })),
  /** What was written off, and, negative, what was reopened of it. */
  writtenOff: z.array(z.object({ day, amount: z.int() })),
  /** The due dates in the order of recording. The first one counts from the begin. */
  dues: z.array(z.object({ from: day, due: day })),
  payments: z.array(
    z.object({
      id: z.string(),
      /** The number of PaymentRecorded in the log. */
      number: z.int(),
      day,
      applied: z.int(),
      surplus: z.int(),
      isEstimated: z.boolean(),
      /** Of a payment in the portal: what was refunded or charged back, by its day. */
      back: z.array(z.object({ day, applied: z.int(), surplus: z.int() })),
      /** The day on which the money went back; 'error': it never was. Null: it counts. */
      reversed: z.union([z.literal('error'), day]).nullable(),
    }),
  ),
  /** What credits of the client paid. */
  credits: z.int(),
  /** The client's promises, each with its last day (`promises.ts`). */
  promises: z.array(z.object({ by: day, eventId: z.string(), recordedAt: z.string() })),
})

export type ReceivableHistory = z.infer<typeof receivableHistory>

/** The changes of what is open, by day, in the order of days. */
function changesByDay({
  since,
  added,
  movements,
}: Pick<ReceivableHistory, 'since' | 'added' | 'movements'>): readonly (readonly [
  string,
  number,
])[] {
  const sums = new Map<string, number>()
  for (const { day: on, amount } of [{ day: since, amount: added }, ...movements])
    sums.set(on, (sums.get(on) ?? 0) + amount)
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** What is open after all movements. */
export function openOf({ added, movements }: ReceivableHistory): number {
  return movements.reduce((sum, { amount }) => sum + amount, added)
}

/** The last day on which something moves. */
export function lastDayOf({ since, movements }: ReceivableHistory): string {
  return movements.reduce((last, { day: on }) => (on > last ? on : last), since)
}

/** From `day` on, invoices due on `due` have this much more open, and this many more are open. */
export interface DueDay {
  readonly due: string
  readonly day: string
  readonly amount: number
  readonly count: number
}

/**
 * What a receivable adds to what was invoiced: all of it in the month of its first day, from the
 * day of each change on. So a late credit memo takes from the month of its invoice. Nothing counts
 * before the first day.
 */
export function invoicedMonthsOf({ since, added, invoiced }: ReceivableHistory): readonly {
  readonly month: string
  readonly day: string
  readonly amount: number
}[] {
  const month = since.slice(0, 7)
  return [{ day: since, amount: added }, ...invoiced].map(({ day: on, amount }) => ({
    month,
    day: on < since ? since : on,
    amount,
  }))
}

/** The due date that counts on a day: the last recorded one of those that have begun. */
export function dueDateOn({ dues, since }: ReceivableHistory, on: string): string {
  return dues.reduce(
    (due, version, index) => (index > 0 && version.from <= on ? version.due : due),
    dues[0]?.due ?? since,
  )
}

/**
 * What a receivable adds to the aging. The sum over `day <= D` is what is open at the end of D, at
 * the due date that counted on D. A changed due date moves what is open to the new one.
 */
export function dueDaysOf(history: ReceivableHistory): readonly DueDay[] {
  const { dues } = history
  const changes = new Map(changesByDay(history))
  const later = dues.slice(1).map(({ from }) => from)
  const days = [...new Set([...changes.keys(), ...later])].sort()
  const found: DueDay[] = []
  let open = 0
  let due = dueDateOn(history, '')
  for (const on of days) {
    const openThen = open + (changes.get(on) ?? 0)
    const dueThen = dueDateOn(history, on)
    if (dueThen === due) found.push(moved(due, on, openThen - open, has(openThen) - has(open)))
    else found.push(moved(due, on, -open, -has(open)), moved(dueThen, on, openThen, has(openThen)))
    open = openThen
    due = dueThen
  }
  return found.filter(({ amount, count }) => amount !== 0 || count !== 0)
}

const moved = (due: string, day: string, amount: number, count: number): DueDay => ({
  due,
  day,
  amount,
  count,
})
const has = (open: number) => (open === 0 ? 0 : 1)

/** The day on which nothing was open any more. Null while something is open. */
export function settledOn(history: ReceivableHistory): string | null {
  let open = 0
  let settled: string | null = null
  for (const [on, amount] of changesByDay(history)) {
    open += amount
    if (open !== 0) settled = null
    else settled ??= on
  }
  return settled
}

/** The payments that count, and the credits: what was paid of the invoice. */
export function paidOf({ payments, credits }: ReceivableHistory): number {
  return payments.reduce(
    (sum, { applied, back, reversed }) =>
      reversed === null ? back.reduce((rest, part) => rest - part.applied, sum + applied) : sum,
    credits,
  )
}

/** Whether nothing is left of a payment. */
export function isGone({
  applied,
  surplus,
  back,
  reversed,
}: ReceivableHistory['payments'][number]): boolean {
  const wentBack = back.reduce((sum, part) => sum + part.applied + part.surplus, 0)
  return reversed !== null || wentBack >= applied + surplus
}
