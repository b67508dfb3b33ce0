import type { Actor } from '#contracts/events/envelope'
import type { CommandContext } from '#services/commands/command-context'
import type { RequestContext } from './endpoint.ts'

/**
 * The command context of a request. The command id contains the actor, so that equal keys of two
 * actors make two commands.
 */
export function commandContext(context: RequestContext, actor: Actor): CommandContext {
  return {
    commandId: `${actor.kind} ${actor.id} ${context.commandId}`,
    correlationId: context.correlationId,
    actor,
    source: 'api',
  }
}
