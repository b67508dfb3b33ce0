import type { CommandContext } from '#services/commands/command-context'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { followed } from './follow-ups.ts'
import type { Receivables } from './receivables-service.ts'

const name = 'receivable-follow-ups'

/**
 * Completes acts in two streams whose process ended between them: the surplus of a payment becomes
 * a credit, a used credit reaches its invoice, and the rest of it goes back. What the request has
 * completed changes nothing.
 */
export function followUpReactor(receivables: Pick<Receivables, 'follow'>): Reactor {
  return defineReactor({
    name,
    handles: [followed],
    async effect(event) {
      const context: CommandContext = {
        commandId: `reactor ${name} ${event.id}`,
        correlationId: event.metadata.correlationId,
        causationId: event.id,
        actor: { kind: 'system', id: `reactor ${name}` },
        source: 'system',
      }
      await receivables.follow(event, context)
    },
  })
}
