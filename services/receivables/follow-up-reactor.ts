import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { canBeFollowed, followed } from './follow-ups.ts'
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
    options: { canConcern: canBeFollowed },
    async effect(event) {
      await receivables.follow(event, reactorContext(name, event))
    },
  })
}
