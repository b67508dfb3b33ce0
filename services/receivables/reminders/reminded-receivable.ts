import type { ReceivableEvent } from '#contracts/events/receivable'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import { dayOf } from '../day-of.ts'
import {
  evolveReceivable,
  openOf,
  type AddedReceivable,
  type ReceivableState,
} from '../receivable-state.ts'
import type { RemindedReceivable } from './reminded.ts'
import { payingOf, type SubmittedPayment } from './submitted-payments.ts'

type Settled = NonNullable<RemindedReceivable['settled']>

/** When what happened to a receivable, as far as reminders depend on it. */
interface Times {
  readonly addedAt: Instant
  readonly settled: { readonly at: Instant; readonly was: Settled } | null
  readonly reopened: RemindedReceivable['reopened']
  readonly resumed: RemindedReceivable['resumed']
}

/**
 * What reminders need to know of a receivable, from the events of its stream and the payments of
 * its client that were submitted. Null: there is none, or its import was undone.
 */
export function remindedReceivable(
  events: readonly HandledEvent<ReceivableEvent>[],
  payments: readonly SubmittedPayment[],
): { readonly reminded: RemindedReceivable; readonly state: AddedReceivable } | null {
  let state: ReceivableState = { kind: 'none' }
  let times: Times = { addedAt: '', settled: null, reopened: null, resumed: null }
  for (const event of events) {
    state = evolveReceivable(state, event)
    times = timesAfter(times, event, settledAs(state))
  }
  if (state.kind === 'none') return null
  const { receivableId, details, hold, promisedBy, disputedBy } = state
  const { addedAt, reopened, resumed } = times
  return {
    state,
    reminded: {
      receivableId,
      dueDate: dayOf(details.dueDate),
      addedAt,
      settled: settledAs(state),
      reopened,
      hold,
      promisedBy,
      isDisputed: disputedBy !== null,
      ...payingOf(payments, receivableId),
      resumed,
    },
  }
}

function timesAfter(
  before: Times,
  event: HandledEvent<ReceivableEvent>,
  was: Settled | null,
): Times {
  const at = event.metadata.occurredAt
  // An invoice that is added again after its import was undone begins again.
  if (event.type === 'ReceivableAdded')
    return { addedAt: at, settled: null, reopened: null, resumed: null }
  const after = resumedAfter(event)
  const times = after === null ? before : { ...before, resumed: { at, after } }
  const { settled } = times
  if (was !== null) return { ...times, settled: { at: settled?.at ?? at, was } }
  if (settled === null) return times
  return { ...times, settled: null, reopened: { settledAt: settled.at, at, was: settled.was } }
}

function settledAs(state: ReceivableState): Settled | null {
  if (state.kind === 'none') return null
  return state.ended?.kind ?? (openOf(state) === 0 ? 'paid' : null)
}

function resumedAfter({ type }: ReceivableEvent): 'hold' | 'promise' | 'dispute' | null {
  if (type === 'RemindersReleased') return 'hold'
  if (type === 'PromiseWithdrawn') return 'promise'
  return type === 'DisputeResolved' ? 'dispute' : null
}
