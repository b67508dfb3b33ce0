import type { EventMetadata } from '#contracts/events/envelope'
import type { CommandContext } from '#services/commands/command-context'

/**
 * The context of a command that a reactor sends because of an event. A repeat of the effect is the
 * same command. With `attempt`, each attempt is a command of its own.
 */
export function reactorContext(
  reactor: string,
  event: { readonly id: string; readonly metadata: Pick<EventMetadata, 'correlationId'> },
  attempt?: number,
): CommandContext {
  return {
    commandId: ['reactor', reactor, event.id, ...(attempt === undefined ? [] : [attempt])].join(
      ' ',
    ),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    actor: { kind: 'system', id: `reactor ${reactor}` },
    source: 'system',
  }
}
