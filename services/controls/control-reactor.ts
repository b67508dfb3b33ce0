import type pg from 'pg'
import type { Logger } from 'pino'
import { parseUserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventProof } from '#services/event-store/audit/event-proof'
import type { EventStore } from '#services/event-store/event-store'
import { controls } from '#services/finance/controls/controls'
import { controlStream } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { controlDecider } from './control-decider.ts'
import { controlFold } from './control-fold.ts'
import { firingsOf } from './firings.ts'

/** Of the reactor, in its checkpoint and its outbox. */
export const controlsName = 'controls'

/**
 * Records each firing of a control as ControlFired, once. At its first start it folds the log from
 * its first event, so it also records the firings of the past: the events are the firings of a
 * replay.
 */
export function controlReactor({
  commands,
  pool,
  store,
  proof,
  log,
}: {
  readonly commands: Pick<CommandHandler, 'handle'>
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'comparePositions' | 'readStream'>
  readonly proof: EventProof
  readonly log: Pick<Logger, 'error' | 'info'>
}): Reactor {
  return defineReactor({
    name: controlsName,
    handles: controls.map(({ consumer }) => consumer),
    options: { fold: controlFold({ store, proof, log }) },
    async effect({ id: eventId, metadata: { correlationId } }) {
      for (const { userId, recordedAt: at, ...firing } of await firingsOf(pool, eventId)) {
        const { events } = await commands.handle({
          decider: controlDecider,
          stream: controlStream(parseUserId(userId)),
          command: { type: 'record-firing', ...firing, eventId, at },
          context: {
            commandId: `reactor ${controlsName} ${firing.control} ${eventId}`,
            correlationId,
            causationId: eventId,
            actor: { kind: 'system', id: `reactor ${controlsName}` },
            source: 'system',
          },
        })
        if (events.length > 0)
          log.error(
            { control: firing.control, userId, eventId },
            'A control fired. Read its sentence in the history of the customer.',
          )
      }
    },
  })
}
