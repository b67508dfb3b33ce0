import { dunningDays, type DunningDay } from '#contracts/dunning'
import type { DunningEvent } from '#contracts/events/dunning'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decided, type Decider } from '#services/foundation/decider'
import type { FailedInvoice } from './unpaid-invoices.ts'

/** The reminders of one invoice. `lastDay` is null until the first one is due. */
type Dunning =
  | { readonly kind: 'running'; readonly startedAt: Instant; readonly lastDay: DunningDay | null }
  | { readonly kind: 'ended' }

/** By the provider's invoice id. */
export type DunningState = ReadonlyMap<string, Dunning>

/**
 * Brings the reminders up to date with the billing stream and the business clock. A repeat records
 * nothing.
 */
export interface FollowInvoices {
  readonly type: 'follow'
  readonly invoices: readonly FailedInvoice[]
  /** The time of the business clock. */
  readonly at: Instant
}

const dayMs = 24 * 60 * 60_000

/**
 * The process manager of unpaid invoices. The days count from the first failed payment, so that a
 * manual retry at the provider neither shortens nor restarts them. If several days have passed
 * unseen, only the latest reminder is due. An end is final.
 */
export const dunningDecider: Decider<'dunning', DunningState, FollowInvoices, DunningEvent, never> =
  {
    category: 'dunning',
    initialState: new Map(),

    evolve(state, event) {
      const { invoiceId, startedAt } = event.data
      switch (event.type) {
        case 'DunningStarted':
          return new Map(state).set(invoiceId, { kind: 'running', startedAt, lastDay: null })
        case 'DunningReminderDue':
          return new Map(state).set(invoiceId, {
            kind: 'running',
            startedAt,
            lastDay: event.data.day,
          })
        case 'DunningEnded':
          return new Map(state).set(invoiceId, { kind: 'ended' })
        default:
          return unreachable(event)
      }
    },

    decide({ invoices, at }, state) {
      return accepted<DunningEvent>(
        ...invoices.flatMap((invoice) => eventsOf(invoice, state.get(invoice.invoiceId), at)),
      )
    },
  }

function eventsOf(
  { standing, nextAttemptAt: _attempt, method: _method, ...invoice }: FailedInvoice,
  known: Dunning | undefined,
  at: Instant,
): readonly Decided<DunningEvent>[] {
  const { invoiceId } = invoice
  if (known?.kind === 'ended') return []
  if (standing !== 'unpaid')
    return known === undefined
      ? []
      : [
          {
            type: 'DunningEnded',
            data: { ...invoice, why: standing },
            occurredAt: at,
            fact: `${invoiceId} dunning ended`,
          },
        ]
  const day = dunningDays.findLast((each) => dueAt(invoice.startedAt, each) <= at)
  const isDue = day !== undefined && day > (known?.lastDay ?? -1)
  return [
    ...(known === undefined
      ? [
          {
            type: 'DunningStarted' as const,
            data: invoice,
            occurredAt: at,
            fact: `${invoiceId} dunning started`,
          },
        ]
      : []),
    ...(isDue
      ? [
          {
            type: 'DunningReminderDue' as const,
            data: { ...invoice, day },
            occurredAt: at,
            fact: `${invoiceId} dunning day ${day}`,
          },
        ]
      : []),
  ]
}

/** When the next reminder is due, by the business clock. Null if none is to come. */
export function nextReminderAt(state: DunningState): Instant | null {
  const times = [...state.values()].flatMap((dunning) => {
    if (dunning.kind === 'ended') return []
    const next = dunningDays.find((day) => day > (dunning.lastDay ?? -1))
    return next === undefined ? [] : [dueAt(dunning.startedAt, next)]
  })
  return times.sort()[0] ?? null
}

function dueAt(startedAt: Instant, day: DunningDay): Instant {
  return new Date(Date.parse(startedAt) + day * dayMs).toISOString()
}
