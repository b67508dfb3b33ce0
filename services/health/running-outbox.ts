import type { Queryable } from '#services/foundation/queryable'
import { textReactorName } from '#services/notifications/reactor-names'
import { outboxStatus } from '#services/reactors/outbox'

/**
 * The outbox of the reactors that run, for the metrics. After Twilio was removed, no process runs
 * the reactor of texts: an alarm about it would be false.
 */
export async function runningOutbox(db: Queryable, { sendsTexts }: { sendsTexts: boolean }) {
  const reactors = await outboxStatus(db)
  return reactors.filter(({ reactor }) => sendsTexts || reactor !== textReactorName)
}
