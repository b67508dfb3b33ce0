import type { RecordedEvent } from '#contracts/events/catalogue'
import { upsertRows } from '#projections/engine/upsert-rows'
import type { Queryable } from '#services/foundation/queryable'
import type { FoldedReceivableEvent } from './consumer.ts'
import { isGone, type ReceivableHistory } from './receivable-history.ts'
import type { ReceivableRow } from './rows.ts'
import type { Change } from './change.ts'

type Promises = ReceivableHistory['promises']
type Promised = Extract<RecordedEvent<FoldedReceivableEvent>, { type: 'PaymentPromised' }>

const dayInMs = 24 * 60 * 60 * 1000
/** A day ends last 12 hours after its end in UTC. */
const endOf = (day: string): number => Date.parse(`${day}T12:00:00Z`) + dayInMs

/**
 * The promises after PaymentPromised. A promise that is made before the day of the one before has
 * ended everywhere changes that one, also if that one was withdrawn: both count once, by the last
 * day. One that is made later is another promise: the one before was kept or broken.
 */
export function promisesAfter(
  before: Promises,
  { id: eventId, data: { by }, metadata: { occurredAt, recordedAt } }: Promised,
): Promises {
  const last = before.at(-1)
  const changes = last !== undefined && Date.parse(occurredAt) < endOf(last.by)
  return [...(changes ? before.slice(0, -1) : before), { by, eventId, recordedAt }]
}

/** What became of a promise. Amounts in minor units. */
interface PromiseOutcome {
  /** Null: neither. The merchant took the rest back or wrote it off by the end of the day. */
  readonly isKept: boolean | null
  /** What was open at the end of the day. */
  readonly left: number
  /** The day of the last payment up to the end of the day. */
  readonly lastPaid: string | null
}

/**
 * A promise is kept if the invoice was paid in full at the end of its day, by payments and credits.
 * A payment of which nothing is left, because the bank or the merchant gave it back, paid nothing;
 * of a payment that went back in part by then, the rest counts.
 */
function promiseOutcome(history: ReceivableHistory, by: string): PromiseOutcome {
  const upTo = (parts: readonly { readonly day: string; readonly amount: number }[]) =>
    parts.reduce((sum, { day, amount }) => (day <= by ? sum + amount : sum), 0)
  const { since, added, payments } = history
  const counted = payments.filter((payment) => payment.day <= by && payment.reversed !== 'error')
  const lost = counted.filter(isGone).reduce((sum, payment) => sum + appliedOn(payment, by), 0)
  const first = since <= by ? added : 0
  const left = first + upTo(history.movements) + lost
  const paid = first + upTo(history.invoiced) - upTo(history.writtenOff) - left
  const days = counted.filter((payment) => !isGone(payment)).map(({ day }) => day)
  return {
    isKept: left > 0 ? false : paid > 0 && upTo(history.writtenOff) === 0 ? true : null,
    left,
    lastPaid: days.toSorted().at(-1) ?? null,
  }
}

/** What a payment paid of the invoice at the end of a day, less what had gone back by then. */
function appliedOn(
  { applied, back, reversed }: ReceivableHistory['payments'][number],
  day: string,
): number {
  if (reversed !== null && reversed <= day) return 0
  return back.reduce((rest, part) => (part.day <= day ? rest - part.applied : rest), applied)
}

/** Writes the promises of receivables whose history changed. */
export async function savePromises(
  tx: Queryable,
  schema: string,
  receivables: readonly Change<ReceivableRow>[],
): Promise<void> {
  const changed = receivables.filter(({ before, after }) => before?.history !== after.history)
  const numberOf = (row: ReceivableRow | undefined) => row?.history.promises.length ?? 0
  // An invoice of an undone import has none any more.
  const fewer = changed.filter(({ before, after }) => numberOf(after) < numberOf(before))
  if (fewer.length > 0)
    await tx.query(
      `DELETE FROM ${schema}.promise p USING unnest($1::text[], $2::int[]) AS f (receivable_id, left_over)
       WHERE p.receivable_id = f.receivable_id AND p.place >= f.left_over`,
      [
        fewer.map(({ after }) => after.receivable_id),
        fewer.map(({ after }) => after.history.promises.length),
      ],
    )
  await upsertRows(
    tx,
    `${schema}.promise`,
    'receivable_id, place',
    changed.flatMap(({ after }) => rowsOf(after)),
  )
}

function rowsOf({ history, receivable_id, merchant_id, client_id, currency }: ReceivableRow) {
  return history.promises.map(({ by, eventId, recordedAt }, place) => {
    const { isKept, left, lastPaid } = promiseOutcome(history, by)
    return {
      receivable_id,
      place,
      merchant_id,
      client_id,
      currency,
      day: by,
      is_kept: isKept,
      left_minor: left,
      last_paid: lastPaid,
      event_id: eventId,
      recorded_at: recordedAt,
    }
  })
}
