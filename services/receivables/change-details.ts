import type { ReceivableDetails } from '#contracts/events/receivable'
import { accepted, refused } from '#services/foundation/decider'
import { lowestOpen } from './movements.ts'
import type { Sent } from './receivable-commands.ts'
import { laterOf, ownerOf, sinceAfter, type Made } from './receivable-rules.ts'
import { movementsOf, type AddedReceivable } from './receivable-state.ts'

/** Records other details, of a form or of an import. The caller has checked the days of `after`. */
export function changeDetails(
  { today, at: occurredAt }: Pick<Sent, 'today' | 'at'>,
  after: ReceivableDetails,
  state: AddedReceivable,
): Made {
  const { details: before, currency } = state
  const since = sinceAfter(after, state, today)
  const date = laterOf(today, since)
  const movements = [...state.movements, { day: date, amount: after.amount - before.amount }]
  if (lowestOpen(movementsOf({ ...state, since, movements })) < 0)
    return refused({ kind: 'below-paid' })
  return accepted({
    type: 'ReceivableChanged',
    data: { ...ownerOf(state), date, currency, since, before, after },
    occurredAt,
  })
}

export function isSame(one: ReceivableDetails, other: ReceivableDetails): boolean {
  return (
    one.issueDate === other.issueDate &&
    one.dueDate === other.dueDate &&
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.url === other.url
  )
}
