import { parseUserId } from '#contracts/ids'
import { eventIdOfFact } from '#services/commands/event-ids'
import type { Firing } from '#services/finance/controls/watch'
import { controlStream } from '#services/foundation/stream-names'
import { firingFact } from './control-decider.ts'

/** The id of the event ControlFired of this firing, whether it is recorded or replayed. */
export function firingId(firing: Pick<Firing, 'control' | 'userId' | 'eventId'>): string {
  const stream = controlStream(parseUserId(firing.userId))
  return eventIdOfFact(stream, 'ControlFired', firingFact(firing))
}
