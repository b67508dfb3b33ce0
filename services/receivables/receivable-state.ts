import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import {
  parseClientId,
  parseReceivableId,
  parseUserId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import { dayOf } from './day-of.ts'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { Day } from '#services/finance/calendar'
import { openAtLast, type Movement } from './movements.ts'

type PaymentReversal = Extract<ReceivableEvent, { type: 'PaymentReversed' }>['data']

export interface RecordedPayment {
  readonly date: Day
  readonly applied: number
  readonly surplus: number
  /** Of the payment in the portal that this is a share of. Null: it was recorded by hand. */
  readonly checkoutId: string | null
  /** What went back of both, and the reversals by which it did. */
  readonly back: { readonly applied: number; readonly surplus: number }
  readonly reversals: ReadonlySet<string>
  /** Why nothing of it is left. Null while something is. */
  readonly reversed: PaymentReversal['why'] | null
}

interface ReceivedCredit {
  readonly creditId: string
  readonly date: Day
  readonly applied: number
  readonly isTakenBack: boolean
}

export interface AddedReceivable {
  readonly kind: 'added'
  readonly merchantId: UserId
  readonly clientId: ClientId
  readonly receivableId: ReceivableId
  readonly number: string
  readonly currency: string
  /** The first day on which the invoice counts. */
  readonly since: Day
  readonly details: ReceivableDetails
  /** Counts the changes of the details: a form of another state overwrites nothing. */
  readonly version: number
  /** The amount of the invoice as it was added, on `since`, is no movement of this list. */
  readonly movements: readonly Movement[]
  readonly added: number
  readonly payments: ReadonlyMap<string, RecordedPayment>
  /** Credit memos that were recorded. */
  readonly memos: ReadonlySet<string>
  /** Uses of credits by their id. One that was taken back pays nothing. */
  readonly credits: ReadonlyMap<string, ReceivedCredit>
  readonly ended: { readonly kind: 'written-off' | 'canceled'; readonly amount: number } | null
  readonly hold: { readonly reason: string; readonly until: Day | null } | null
  readonly promisedBy: Day | null
  /** Who says so: the client's bank disputes a payment. Null: it is not disputed. */
  readonly disputedBy: 'merchant' | 'client' | 'bank' | null
  /** Counts the events since it was added: nothing may follow an import that is undone. */
  readonly events: number
}

export type ReceivableState = { readonly kind: 'none' } | AddedReceivable

/** All movements in no order, the amount of the invoice included. */
export function movementsOf({
  since,
  added,
  movements,
}: Pick<AddedReceivable, 'since' | 'added' | 'movements'>): readonly Movement[] {
  return [{ day: since, amount: added }, ...movements]
}

/** What is owed now, in minor units. */
export function openOf(state: AddedReceivable): number {
  return openAtLast(movementsOf(state))
}

export function evolveReceivable(state: ReceivableState, event: ReceivableEvent): ReceivableState {
  const after = evolved(state, event)
  return after.kind === 'none' ? after : { ...after, events: after.events + 1 }
}

// oxlint-disable-next-line max-lines-per-function -- A table: one case per event.
function evolved(state: ReceivableState, event: ReceivableEvent): ReceivableState {
  if (event.type === 'ReceivableAdded') {
    const { merchantId, clientId, receivableId, number, currency, since, details } = event.data
    return {
      kind: 'added',
      merchantId: parseUserId(merchantId),
      clientId: parseClientId(clientId),
      receivableId: parseReceivableId(receivableId),
      number,
      currency,
      since: dayOf(since),
      details,
      version: 0,
      movements: [],
      added: details.amount,
      payments: new Map(),
      memos: new Set(),
      credits: new Map(),
      ended: null,
      hold: null,
      promisedBy: null,
      disputedBy: null,
      events: 0,
    }
  }
  if (state.kind === 'none')
    throw new DamagedHistory(
      `A receivable's stream starts with ReceivableAdded, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
    )
  const moved = (day: string, amount: number): AddedReceivable => ({
    ...state,
    movements: [...state.movements, { day: dayOf(day), amount }],
  })
  switch (event.type) {
    case 'ReceivableChanged': {
      const { date, since, before, after } = event.data
      return {
        ...moved(date, after.amount - before.amount),
        since: dayOf(since),
        details: after,
        version: state.version + 1,
      }
    }
    case 'PaymentRecorded': {
      const { paymentId, date, applied, surplus, portal } = event.data
      return {
        ...moved(date, -applied),
        payments: new Map(state.payments).set(paymentId, {
          date: dayOf(date),
          applied,
          surplus,
          checkoutId: portal?.checkoutId ?? null,
          back: { applied: 0, surplus: 0 },
          reversals: new Set<string>(),
          reversed: null,
        }),
      }
    }
    case 'PaymentReversed': {
      const { paymentId, date, applied } = event.data
      const payment = state.payments.get(paymentId)
      if (payment === undefined)
        throw new DamagedHistory(
          `The payment ${paymentId} was reversed and never recorded. The log is damaged: run npm run billing -- events verify.`,
        )
      return {
        ...moved(date, applied),
        payments: new Map(state.payments).set(paymentId, without(payment, event.data)),
      }
    }
    case 'CreditMemoIssued':
      return {
        ...moved(event.data.date, -event.data.amount),
        memos: new Set(state.memos).add(event.data.creditMemoId),
      }
    case 'CreditReceived': {
      const { applicationId, creditId, date, applied } = event.data
      const received = { creditId, date: dayOf(date), applied, isTakenBack: false }
      return {
        ...moved(date, -applied),
        credits: new Map(state.credits).set(applicationId, received),
      }
    }
    case 'CreditTakenBack': {
      const { applicationId, date, amount } = event.data
      const received = state.credits.get(applicationId)
      if (received === undefined)
        throw new DamagedHistory(
          `The credit use ${applicationId} was taken back and never recorded. The log is damaged: run npm run billing -- events verify.`,
        )
      return {
        ...moved(date, amount),
        credits: new Map(state.credits).set(applicationId, { ...received, isTakenBack: true }),
      }
    }
    case 'RemindersHeld': {
      const { reason, until } = event.data
      return { ...state, hold: { reason, until: until === null ? null : dayOf(until) } }
    }
    case 'RemindersReleased':
      return { ...state, hold: null }
    case 'PaymentPromised':
      return { ...state, promisedBy: dayOf(event.data.by) }
    case 'PromiseWithdrawn':
      return { ...state, promisedBy: null }
    case 'ReceivableDisputed':
      return { ...state, disputedBy: event.data.madeBy }
    case 'DisputeResolved':
      return { ...state, disputedBy: null }
    case 'ReceivableWrittenOff':
    case 'ReceivableCanceled':
      return {
        ...moved(event.data.date, -event.data.amount),
        ended: {
          kind: event.type === 'ReceivableWrittenOff' ? 'written-off' : 'canceled',
          amount: event.data.amount,
        },
      }
    case 'ReceivableReopened':
      return { ...moved(event.data.date, event.data.amount), ended: null }
    case 'ReceivableWithdrawn':
      // As if it had never been added: a later import can add it again.
      return { kind: 'none' }
    default:
      return unreachable(event)
  }
}

/** The payment after a part of it, or all of it, went back. */
function without(
  payment: RecordedPayment,
  { reversalId, why, applied, surplus }: PaymentReversal,
): RecordedPayment {
  const back = {
    applied: payment.back.applied + applied,
    surplus: payment.back.surplus + surplus,
  }
  const isGone = back.applied >= payment.applied && back.surplus >= payment.surplus
  return {
    ...payment,
    back,
    reversals: new Set(payment.reversals).add(reversalId),
    reversed: isGone ? why : null,
  }
}
