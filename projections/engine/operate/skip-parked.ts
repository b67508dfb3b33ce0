import { durableTransaction } from '#services/postgres/transaction'
import { deleteWaiting } from '../park/parked-rows.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { recordSkip } from '../run/skipped-events.ts'
import { parkedStreamOf, type ParkedStream } from '../park/parked-streams.ts'
import { newerAt, skipRefusal } from './newer-at.ts'
import { CannotSkip, type SkipParts } from './skip-event.ts'

/**
 * Records the skip of the event at which a stream is parked, and requests the folding of the events
 * behind it. `eventId` names the event if the caller has seen it: another event is not skipped. The
 * transaction is durable: the command reports the skip as recorded. Null if the stream is not
 * parked: nothing is changed.
 * @throws CannotSkip also if a newer release wrote the event
 */
export async function skipParked(
  { connection, store }: SkipParts,
  model: ReadModel,
  stream: string,
  eventId: string | undefined,
  skippedBy: string,
): Promise<ParkedStream | null> {
  return durableTransaction(connection, async () => {
    const parked = await parkedStreamOf(connection, model, stream)
    if (parked === undefined) return null
    const { projection, key, event } = parked
    if (eventId !== undefined && eventId !== event.id)
      throw new CannotSkip(
        `${event.stream} is parked in ${schemaOf(model)} at event ${event.id} (${event.type}, revision ${event.revision}), not at ${eventId}. Name that event.`,
      )
    const newer = await newerAt(store, event)
    if (newer !== null) throw new CannotSkip(skipRefusal(model, newer))
    // Another operator or a retry may have been first: only one of them removes the event.
    if ((await deleteWaiting(connection, projection, key, [event.id])) === 0)
      throw new CannotSkip(
        `Event ${event.id} of ${event.stream} was skipped or folded by another command; nothing was changed. 'billing projections status' shows the stream.`,
      )
    await recordSkip(connection, model, event, parked.reason, skippedBy)
    await connection.query(
      'UPDATE projection.parked_stream SET retry_requested_at = now() WHERE projection = $1 AND partition_key = $2',
      [projection, key],
    )
    return parked
  })
}
