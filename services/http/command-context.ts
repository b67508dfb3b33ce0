import type { Actor } from '#contracts/events/envelope'
import type { CommandContext } from '#services/commands/command-context'
import type { RequestContext } from './endpoint.ts'

/**
 * The command context of a request. The command id contains the actor, so that equal keys of two
 * actors make two commands.
 * @throws Error if the call declares no limit of the events that it appends. This is a bug.
 */
export function commandContext(context: RequestContext, actor: Actor): CommandContext {
  if (context.appends === null)
    throw new Error(
      'A call appends events, but declares no limit of them. Add `appends` to its declaration.',
    )
  return {
    commandId: `${actor.kind} ${actor.id} ${context.commandId}`,
    correlationId: context.correlationId,
    actor,
    source: 'api',
  }
}
