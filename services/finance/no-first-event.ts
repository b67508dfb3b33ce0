import { DamagedHistory } from '#services/foundation/damaged-history'
import type { FinanceEvent } from './finance-event.ts'

/** About an event of an object, such as a subscription, that no earlier event records. */
export function noFirstEvent(
  { id, type, stream, revision }: FinanceEvent,
  object: string,
): DamagedHistory {
  return new DamagedHistory(
    `Event ${id} (${type}, revision ${revision} of '${stream}') is about ${object}, and the log has no earlier event that records ${object}: an event was removed, or another program wrote this one. Run 'billing events verify --manifest <file>', and restore a backup from before the change.`,
  )
}
