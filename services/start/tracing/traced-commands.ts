import type { CommandHandler } from '#services/commands/handle-command'
import { categoryOf } from '#services/foundation/stream-names'
import type { Spans } from '#services/tracing/spans'

/** Each command in a span of the trace of its correlation id. */
export function tracedCommands(commands: CommandHandler, spans: Spans): CommandHandler {
  return {
    handle: (request) =>
      spans.inTrace(
        {
          name: `command ${request.decider.category}`,
          correlationId: request.context.correlationId,
          attributes: { 'command.type': typeOf(request.command) },
        },
        async (span) => {
          const handled = await commands.handle(request)
          span.set({ 'command.outcome': handled.kind, 'event.count': handled.events.length })
          return handled
        },
      ),
    record: (request) =>
      spans.inTrace(
        {
          name: `record ${categoryOf(request.stream)}`,
          correlationId: request.context.correlationId,
          attributes: { 'event.type': request.event.type },
        },
        () => commands.record(request),
      ),
    load: (request) =>
      spans.inside({ name: `load ${request.decider.category}` }, () => commands.load(request)),
    loadEvents: (request) =>
      spans.inside({ name: `load events of ${request.decider.category}` }, () =>
        commands.loadEvents(request),
      ),
    wrote: (event) => commands.wrote(event),
  }
}

/** A command that is made of the loaded state has no type yet. */
function typeOf(command: unknown): string {
  if (typeof command !== 'object' || command === null || !('type' in command))
    return 'made of state'
  return String(command.type)
}
