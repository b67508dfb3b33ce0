import { paymentMethodText } from '#contracts/payment-method-text'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { daysOverdueOf, invoiceStatusOf } from '#contracts/receivables/invoice-status'
import type { ComingMessages } from '#contracts/receivables/messages'
import type { ReceivablesAccess } from '#contracts/receivables/shared'
import type { HandledEvent } from '#services/commands/decision-events'
import { daysBetween, type Day } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { submittedAmount } from './checkout/checkout-state.ts'
import { clientCard, creditsOf, shownText } from './client-card.ts'
import type { AddedClient } from './client-state.ts'
import { dayOf } from './day-of.ts'
import { openOn } from './movements.ts'
import { possibleActs } from './possible-acts.ts'
import { movementsOf, openOf, type AddedReceivable } from './receivable-state.ts'
import { messageHistory, type ReminderEvents } from './message-history.ts'
import { timelineEvent } from './timeline.ts'

interface InvoiceParts {
  readonly state: AddedReceivable
  readonly events: readonly HandledEvent<ReceivableEvent>[]
  readonly client: AddedClient
  /** What became of the messages to the client. */
  readonly reminders: ReminderEvents
  /** Of the client. */
  readonly coming: ComingMessages
  /** The number of another invoice of the client. Null: the page does not name it. */
  readonly numberOf: (receivableId: string) => string | null
  readonly open: Pick<InvoiceResponse['client'], 'openInvoices' | 'owes'>
  readonly access: ReceivablesAccess
  readonly today: Day
  readonly timeZone: TimeZone
}

type Events = InvoiceParts['events']

/** The page of an invoice, from the events of its stream and of its client's. */
export function invoicePage(parts: InvoiceParts): InvoiceResponse {
  const { state, events, client, access, today, timeZone } = parts
  const { receivableId, number, currency, details, since, version } = state
  const credits = creditsOf(client, currency)
  const dayOfInstant = daysIn(timeZone)
  const holds = [state.hold, client.hold].filter((hold) => hold !== null)
  const isOpen = openOf(state) > 0
  const status = invoiceStatusOf(
    {
      state: state.ended?.kind ?? (isOpen ? 'open' : 'paid'),
      dueDate: details.dueDate,
      promisedBy: state.promisedBy,
      isDisputed: state.disputedBy !== null,
      holds,
    },
    today,
  )
  const shownOrNull = (text: string | null) => (text === null ? null : shownText(text))
  return {
    access,
    today,
    timeZone,
    receivableId,
    number,
    currency,
    status,
    version,
    details: {
      issueDate: details.issueDate,
      dueDate: details.dueDate,
      amount: details.amount,
      reference: shownOrNull(details.reference),
      url: client.isErased ? null : details.url,
    },
    since,
    figures: figuresOf(state, events, today),
    payments: paymentsOf(events, state),
    creditUses: [...state.credits]
      .filter(([, { applied }]) => applied > 0)
      .map(([applicationId, { date, applied, isTakenBack }]) => ({
        applicationId,
        date,
        applied,
        isTakenBack,
      })),
    agreements: {
      hold: shownHold(state.hold),
      clientHold: shownHold(client.hold),
      promisedBy: state.promisedBy,
      promiseIsBroken: isOpen && state.promisedBy !== null && state.promisedBy < today,
      isDisputed: state.disputedBy !== null,
      disputedBy: state.disputedBy,
      disputeText: state.disputedBy !== null ? disputeText(events) : null,
      onItsWay: submittedAmount(client, receivableId),
    },
    ended: endOf(state, events),
    acts: possibleActs(state, credits.length > 0, access),
    timeline: [
      ...events.map((event) => timelineEvent(event, () => number, dayOfInstant)),
      ...messageHistory(parts.reminders, {
        receivableId,
        numberOf: (id) => (id === receivableId ? number : parts.numberOf(id)),
        dayOf: dayOfInstant,
      }),
    ]
      .toSorted((one, other) => (one.recordedAt < other.recordedAt ? -1 : 1))
      .reverse(),
    coming: comingOf(parts.coming, receivableId),
    client: { ...clientCard(client), credits, ...parts.open },
  }
}

/** What comes about one invoice. */
function comingOf(
  { stillness, messages, skips, waiting }: ComingMessages,
  receivableId: string,
): ComingMessages {
  const isOwn = (step: { readonly receivableId: string }) => step.receivableId === receivableId
  return {
    stillness,
    messages: messages.filter(({ steps }) => steps.some(isOwn)),
    skips: skips.filter(isOwn),
    waiting: waiting.filter(isOwn),
  }
}

function shownHold(hold: AddedReceivable['hold']) {
  return hold === null ? null : { reason: shownText(hold.reason), until: hold.until }
}

function figuresOf(state: AddedReceivable, events: Events, today: Day) {
  const credited = events.reduce(
    (sum, { type, data }) =>
      type === 'CreditReceived'
        ? sum + data.applied
        : type === 'CreditTakenBack'
          ? sum - data.amount
          : sum,
    0,
  )
  const counting = [...state.payments.values()].filter(({ reversed }) => reversed === null)
  const paid = counting.reduce((sum, { applied, back }) => sum + applied - back.applied, credited)
  const paidOn = state.ended === null && paid > 0 ? settledOn(state) : null
  const { issueDate, dueDate } = state.details
  return {
    open: openOf(state),
    paid,
    payments: counting.length,
    daysOverdue: daysOverdueOf(dueDate, today),
    paidOn,
    daysToPay: paidOn === null || issueDate === null ? null : daysBetween(dayOf(issueDate), paidOn),
  }
}

/** The day from which on nothing is open. Null while something is. */
function settledOn(state: AddedReceivable): Day | null {
  if (openOf(state) !== 0) return null
  const movements = movementsOf(state)
  const days = [...new Set(movements.map(({ day }) => day))].sort()
  const lastOpen = days.findLastIndex((day) => openOn(movements, day) !== 0)
  return days[lastOpen + 1] ?? null
}

function paymentsOf(events: Events, { payments }: AddedReceivable): InvoiceResponse['payments'] {
  return events.flatMap((event) => {
    if (event.type !== 'PaymentRecorded') return []
    const { paymentId, date, applied, surplus, method, note, isEstimated, portal } = event.data
    const state = payments.get(paymentId)
    return [
      {
        paymentId,
        date,
        applied,
        surplus,
        method,
        note: note === null ? null : shownText(note),
        isEstimated,
        paidWith: portal === null ? null : paymentMethodText(portal.means),
        wentBack: state === undefined ? 0 : state.back.applied + state.back.surplus,
        reversed: state?.reversed ?? null,
      },
    ]
  })
}

function disputeText(events: Events): string | null {
  const dispute = events.findLast(({ type }) => type === 'ReceivableDisputed')
  return dispute?.type === 'ReceivableDisputed' ? shownText(dispute.data.text) : null
}

function endOf({ ended }: AddedReceivable, events: Events): InvoiceResponse['ended'] {
  if (ended === null) return null
  const end = events.findLast(
    ({ type }) => type === 'ReceivableWrittenOff' || type === 'ReceivableCanceled',
  )
  if (end?.type !== 'ReceivableWrittenOff' && end?.type !== 'ReceivableCanceled') return null
  return { ...ended, day: end.data.date, reason: shownText(end.data.reason) }
}
