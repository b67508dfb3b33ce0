import { z } from 'zod'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { FoldedReceivableEvent } from './consumer.ts'

const settled = z.enum(['paid', 'written-off', 'canceled'])

/** What reminders ask of a receivable's past. Instants. */
export const reminderTimes = z.object({
  /** Nothing is owed since then. NULL: something is. */
  settled: z.object({ at: z.string(), was: settled }).nullable(),
  /** The last time that it was owed again. */
  reopened: z.object({ settledAt: z.string(), at: z.string(), was: settled }).nullable(),
  /** The last hold, promise or dispute that a person ended. */
  resumed: z.object({ at: z.string(), after: z.enum(['hold', 'promise', 'dispute']) }).nullable(),
})
export type ReminderTimes = Readonly<z.infer<typeof reminderTimes>>

export const noReminderTimes: ReminderTimes = { settled: null, reopened: null, resumed: null }

/**
 * After an event that left the receivable in `state`. As `reminded-receivable.ts` of the sending.
 */
export function reminderTimesAfter(
  before: ReminderTimes,
  event: RecordedEvent<FoldedReceivableEvent>,
  state: string,
): ReminderTimes {
  const at = event.metadata.occurredAt
  const after = resumedAfter(event)
  const times = after === null ? before : { ...before, resumed: { at, after } }
  const was = settled.safeParse(state).data
  if (was !== undefined) return { ...times, settled: { at: times.settled?.at ?? at, was } }
  if (times.settled === null) return times
  const { settled: former } = times
  return { ...times, settled: null, reopened: { settledAt: former.at, at, was: former.was } }
}

function resumedAfter({ type }: FoldedReceivableEvent): 'hold' | 'promise' | 'dispute' | null {
  if (type === 'RemindersReleased') return 'hold'
  if (type === 'PromiseWithdrawn') return 'promise'
  return type === 'DisputeResolved' ? 'dispute' : null
}
