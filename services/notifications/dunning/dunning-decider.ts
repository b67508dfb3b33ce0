import { Map as PersistentMap } from 'immutable'
import { dunningDays, type DunningDay } from '#contracts/dunning'
import type { DunningEvent } from '#contracts/events/dunning'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decided, type Decider } from '#services/foundation/decider'
import type { FailedInvoice } from './unpaid-invoices.ts'

/** The reminders of one invoice. `lastDay` is null until the first one is due. */
type Dunning =
  | { readonly kind: 'running'; readonly startedAt: Instant; readonly lastDay: DunningDay | null }
  | { readonly kind: 'ended' }

/** By the provider's invoice. */
export type DunningState = PersistentMap<ProviderRef, Dunning>

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

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/**
 * The process manager of unpaid invoices. The days count from the first failed payment, so that a
 * manual retry at the provider neither shortens nor restarts them. If several days have passed
 * unseen, only the latest reminder is due. While an attempt of the provider is near, a reminder is
 * held back: it is not sent for an invoice that this attempt pays. An end is final.
 */
export const dunningDecider: Decider<'dunning', DunningState, FollowInvoices, DunningEvent, never> =
  {
    category: 'dunning',
    initialState: PersistentMap(),

    evolve(state, event) {
      const { invoiceRef, startedAt } = event.data
      switch (event.type) {
        case 'DunningStarted':
          return state.set(invoiceRef, { kind: 'running', startedAt, lastDay: null })
        case 'DunningReminderDue':
          return state.set(invoiceRef, {
            kind: 'running',
            startedAt,
            lastDay: event.data.day,
          })
        case 'DunningEnded':
          return state.set(invoiceRef, { kind: 'ended' })
        default:
          return unreachable(event)
      }
    },

    decide({ invoices, at }, state) {
      return accepted<DunningEvent>(
        ...invoices.flatMap((invoice) => eventsOf(invoice, state.get(invoice.invoiceRef), at)),
      )
    },
  }

function eventsOf(
  {
    standing,
    nextAttemptAt,
    open: _open,
    reason: _reason,
    method: _method,
    newMethod: _new,
    payment: _payment,
    ...invoice
  }: FailedInvoice,
  known: Dunning | undefined,
  at: Instant,
): readonly Decided<DunningEvent>[] {
  const { invoiceRef } = invoice
  if (known?.kind === 'ended') return []
  if (standing !== 'unpaid')
    return known === undefined
      ? []
      : [
          {
            type: 'DunningEnded',
            data: { ...invoice, why: standing },
            occurredAt: at,
            fact: `${textOfRef(invoiceRef)} dunning ended`,
          },
        ]
  const day = nextDay(invoice.startedAt, known?.lastDay ?? null, at)
  const isDue = day !== undefined && heldUntil(invoice.startedAt, day, nextAttemptAt) <= at
  return [
    ...(known === undefined
      ? [
          {
            type: 'DunningStarted' as const,
            data: invoice,
            occurredAt: at,
            fact: `${textOfRef(invoiceRef)} dunning started`,
          },
        ]
      : []),
    ...(isDue
      ? [
          {
            type: 'DunningReminderDue' as const,
            data: { ...invoice, day },
            occurredAt: at,
            fact: `${textOfRef(invoiceRef)} dunning day ${day}`,
          },
        ]
      : []),
  ]
}

/**
 * When to follow the invoices again for their next reminder, by the business clock: later than the
 * follow's own time. Null if no reminder is to come.
 */
export function nextReminderAt(
  state: DunningState,
  { invoices, at }: Pick<FollowInvoices, 'invoices' | 'at'>,
): Instant | null {
  const times = [...state].flatMap(([invoiceRef, dunning]) => {
    if (dunning.kind === 'ended') return []
    const { startedAt, lastDay } = dunning
    const next = nextDay(startedAt, lastDay, at)
    if (next === undefined) return []
    const invoice = invoices.find((each) => each.invoiceRef === invoiceRef)
    return [heldUntil(startedAt, next, invoice?.nextAttemptAt ?? null)]
  })
  return times.sort()[0] ?? null
}

/** The latest day that is over and had no reminder, else the next one. */
function nextDay(
  startedAt: Instant,
  lastDay: DunningDay | null,
  at: Instant,
): DunningDay | undefined {
  const open = dunningDays.filter((day) => day > (lastDay ?? -1))
  return open.findLast((day) => dueAt(startedAt, day) <= at) ?? open[0]
}

/** Whether the next reminder of the same invoice is due at `at`, so that this one came too late. */
export function isReplaced(
  { startedAt, day }: { readonly startedAt: Instant; readonly day: DunningDay },
  at: Instant,
): boolean {
  const next = dunningDays.find((each) => each > day)
  return next !== undefined && dueAt(startedAt, next) <= at
}

function dueAt(startedAt: Instant, day: DunningDay): Instant {
  return new Date(Date.parse(startedAt) + day * dayMs).toISOString()
}

/**
 * When the reminder is sent: on its day, or an hour after an attempt of the provider that is at
 * most an hour away from it. So an attempt delays a reminder by two hours at most. The first
 * reminder reports a failure that has happened.
 */
function heldUntil(startedAt: Instant, day: DunningDay, nextAttemptAt: Instant | null): Instant {
  const due = dueAt(startedAt, day)
  if (day === 0 || nextAttemptAt === null) return due
  const attempt = Date.parse(nextAttemptAt)
  return Math.abs(attempt - Date.parse(due)) <= hourMs
    ? new Date(Math.max(attempt + hourMs, Date.parse(due))).toISOString()
    : due
}
