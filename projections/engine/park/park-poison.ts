import { storedReason } from '#services/foundation/stored-reason'
import { relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf } from '../read-model.ts'
import type { PoisonEvent } from '../run/apply-batch.ts'
import { advance } from '../run/checkpoint.ts'
import { withoutRows } from '../run/projection-log.ts'
import type { Parking } from './parking.ts'
import type { RetryParts } from './retry-parked.ts'

/**
 * Parks the stream of the poison event with this number and moves the checkpoint past the event, in
 * one transaction. False if the stream cannot be parked: nothing is written.
 * @throws FencedOff
 */
export async function parkPoison(
  { event, message, cause }: PoisonEvent,
  number: number,
  parking: Parking,
  {
    connection,
    model,
    shard,
    epoch,
    log,
  }: Pick<RetryParts, 'connection' | 'model' | 'shard' | 'epoch' | 'log'>,
): Promise<boolean> {
  if (parking.refusal(event) !== null) return false
  // Relaxed: checkpoint and parked stream commit together, so a crash only repeats the attempt.
  await relaxedTransaction(connection, async () => {
    await advance(connection, model, shard, epoch, { position: event.position, events: 1 })
    await parking.park(connection, { ...event, number }, storedReason(message))
  })
  parking.parked(event)
  const { id, stream } = event
  log.error(
    {
      reason: message,
      failure: withoutRows(cause),
      projection: schemaOf(model),
      shard,
      stream,
      event: id,
    },
    'A stream is parked; the others continue. Correct the cause and restart, or skip the event.',
  )
  return true
}
