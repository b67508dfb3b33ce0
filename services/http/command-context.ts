import type { Actor } from '#contracts/events/envelope'
import type { CommandContext } from '#services/commands/handle-command'
import type { RequestContext } from './endpoint.ts'

/** Who causes what a command appends, and by which request. The key is the actor's own: two people's keys never meet. */
export function commandContext(context: RequestContext, actor: Actor): CommandContext {
  return {
    commandId: `${actor.kind} ${actor.id} ${context.commandId}`,
    correlationId: context.correlationId,
    actor,
    source: 'api',
  }
}
