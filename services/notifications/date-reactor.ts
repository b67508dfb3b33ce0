import type pg from 'pg'
import type { Logger } from 'pino'
import { parseUserId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { appoint, startAppointments } from './appointments.ts'
import { followDates, type FollowParts } from './follow-dates.ts'
import { dateReactorName as name } from './reactor-names.ts'

export interface DateParts extends FollowParts {
  readonly pool: pg.Pool
  readonly log: Logger
}

const reminderDates = eventConsumer({
  name: 'dates of reminders',
  concernedBy: ['subscription', 'customer', 'payment'],
  ignores: [
    'PaymentCustomerLinked',
    'BillingDetailsChanged',
    'SubscriptionPaused',
    'PlanChangeScheduled',
    'PlanChangeDropped',
    'RecurringDeductionsChanged',
    'CancellationScheduled',
  ],
})

/** Follows the events that start or end reminders. Old events have no appointment. */
export function dateReactor(parts: DateParts): Reactor {
  return defineReactor({
    name,
    handles: [reminderDates],
    options: { skipsOldEvents: true },
    async effect({ id, stream, metadata: { correlationId } }) {
      const userId = parseUserId(streamOwner(stream))
      const context = contextOf(`reactor ${name} ${id}`, correlationId, id)
      const next = await followDates(userId, parts, context)
      if (next !== null) await appoint(parts.pool, userId, next)
    },
  })
}

/** Keeps the appointments of the reminders. The returned function stops it. */
export function startDates(parts: DateParts): () => Promise<void> {
  return startAppointments({
    ...parts,
    follow: (userId: UserId, dueAt: Date) => {
      const commandId = `appointment ${userId} ${dueAt.toISOString()}`
      return followDates(userId, parts, contextOf(commandId, commandId, commandId))
    },
  })
}

function contextOf(commandId: string, correlationId: string, causationId: string): CommandContext {
  return {
    commandId,
    correlationId,
    causationId,
    actor: { kind: 'system', id: `reactor ${name}` },
    source: 'system',
  }
}
