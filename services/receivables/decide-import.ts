import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import type { Day } from '#services/finance/calendar'
import { accepted, refused, type Decided } from '#services/foundation/decider'
import { changeDetails, isSame } from './change-details.ts'
import type { ImportRow, SettleMissing, UndoImport } from './receivable-commands.ts'
import { laterOf, ownerOf, problemOfDays, sinceOf, type Made } from './receivable-rules.ts'
import {
  evolveReceivable,
  movementsOf,
  openOf,
  type AddedReceivable,
  type ReceivableState,
} from './receivable-state.ts'

/*
 * What a file or a program says about a receivable. `today` is the day of the import.
 */

type Event = Decided<ReceivableEvent>

/** Adds the receivable, or changes it to what the row says. A row without news changes nothing. */
export function decideRow(command: ImportRow, state: ReceivableState): Made {
  return state.kind === 'none' ? addRow(command) : changeByRow(command, state)
}

function addRow(command: ImportRow): Made {
  const { merchantId, clientId, receivableId, number, currency, details, openAmount } = command
  const { today, at: occurredAt } = command
  const problem = problemOfDays(details)
  if (problem) return refused(problem)
  const { amount } = details
  if (openAmount !== null && openAmount > amount) return refused({ kind: 'open-above-amount' })
  const since = sinceOf(details, today)
  const owner = { merchantId, clientId, receivableId }
  const paid = openAmount === null ? 0 : amount - openAmount
  return accepted(
    {
      type: 'ReceivableAdded',
      data: { ...owner, number, currency, since, details },
      occurredAt,
    },
    ...(paid === 0
      ? []
      : [estimated(command, { ...owner, currency }, paid, laterOf(today, since))]),
  )
}

function changeByRow(command: ImportRow, before: AddedReceivable): Made {
  const { merchantId, currency, openAmount, confirmsReversal, today, at: occurredAt } = command
  if (before.merchantId !== merchantId) return refused({ kind: 'not-found' })
  if (before.currency !== currency) return refused({ kind: 'currency-differs' })
  const details = merged(before.details, command.details)
  const hasNews = !isSame(details, before.details)
  if (before.ended !== null)
    return !hasNews && (openAmount ?? 0) === 0
      ? accepted()
      : refused({ kind: 'ended', how: before.ended.kind })
  const problem = problemOfDays(details)
  if (problem) return refused(problem)
  if (openAmount !== null && openAmount > details.amount)
    return refused({ kind: 'open-above-amount' })

  const events: Event[] = []
  let state = before
  const record = (event: Event) => {
    events.push(event)
    const after = evolveReceivable(state, event)
    if (after.kind === 'added') state = after
  }
  if (hasNews) {
    const changed = changeDetails(command, details, before)
    if (changed.kind === 'refused') return changed
    changed.events.forEach(record)
  }
  if (openAmount !== null && openAmount > openOf(state)) {
    if (!confirmsReversal) return refused({ kind: 'open-rose', open: openOf(state) })
    for (const [paymentId, payment] of [...state.payments].reverse()) {
      if (openOf(state) >= openAmount) break
      // What was paid in the portal, the provider's account knows better than a file.
      if (payment.checkoutId !== null || payment.reversed !== null) continue
      if (payment.surplus > 0 || payment.applied === 0) continue
      const { applied, surplus } = payment
      record({
        type: 'PaymentReversed',
        data: {
          ...ownerOf(before),
          paymentId,
          reversalId: paymentId,
          why: 'returned',
          date: laterOf(today, payment.date),
          currency,
          applied,
          surplus,
          note: null,
        },
        occurredAt,
      })
    }
    if (openOf(state) < openAmount) return refused({ kind: 'nothing-to-reverse' })
  }
  if (openAmount !== null && openAmount < openOf(state))
    record(estimated(command, ownedOf(state), openOf(state) - openAmount, lastDay(state, today)))
  return accepted(...events)
}

/** A complete file no longer contains the receivable. */
export function decideMissing(command: SettleMissing, state: AddedReceivable): Made {
  const open = openOf(state)
  if (open === 0 || state.ended !== null) return accepted()
  return accepted(estimated(command, ownedOf(state), open, lastDay(state, command.today)))
}

/**
 * Takes back what an import did, newest first. `own` are the import's events of the receivable;
 * nothing may have followed them.
 */
export function decideUndo(command: UndoImport, state: AddedReceivable): Made {
  const { importId, own, seen, paymentId, at: occurredAt } = command
  if (state.events !== seen) return refused({ kind: 'changed-meanwhile' })
  const owner = ownerOf(state)
  const { currency } = state
  const events: Event[] = []
  for (const event of [...own].reverse()) {
    switch (event.type) {
      case 'PaymentRecorded': {
        const { applied, surplus, date } = event.data
        events.push({
          type: 'PaymentReversed',
          data: {
            ...owner,
            paymentId: event.data.paymentId,
            reversalId: event.data.paymentId,
            why: 'recorded-in-error',
            date,
            currency,
            applied,
            surplus,
            note: null,
          },
          occurredAt,
        })
        break
      }
      case 'PaymentReversed': {
        // The payment is there again, from the day on which the import had taken it back.
        const { applied, date } = event.data
        const payment = { ...command, paymentId: `${paymentId}_${events.length}` }
        events.push(estimated(payment, ownedOf(state), applied, date))
        break
      }
      case 'ReceivableChanged': {
        const { before, after, date } = event.data
        const since = command.sinceBefore ?? sinceOf(before, state.since)
        events.push({
          type: 'ReceivableChanged',
          data: { ...owner, date, currency, since, before: after, after: before },
          occurredAt,
        })
        break
      }
      case 'ReceivableAdded':
        events.push({
          type: 'ReceivableWithdrawn',
          data: {
            ...owner,
            importId,
            date: state.since,
            currency,
            amount: event.data.details.amount,
          },
          occurredAt,
        })
        break
      default:
        // An import records no other event.
        return refused({ kind: 'changed-meanwhile' })
    }
  }
  return accepted(...events)
}

function ownedOf(state: AddedReceivable) {
  return { ...ownerOf(state), currency: state.currency }
}

function estimated(
  { paymentId, at: occurredAt }: Pick<ImportRow, 'paymentId' | 'at'>,
  owner: ReturnType<typeof ownerOf> & { readonly currency: string },
  applied: number,
  date: Day | string,
): Event {
  return {
    type: 'PaymentRecorded',
    data: {
      ...owner,
      paymentId,
      date,
      applied,
      surplus: 0,
      method: 'other',
      note: null,
      isEstimated: true,
      portal: null,
    },
    occurredAt,
  }
}

/** The day of the import, or a later one on which something moved: no day then has less than 0. */
function lastDay(state: AddedReceivable, today: Day): Day {
  return movementsOf(state).reduce((last, { day }) => laterOf(last, day), today)
}

/** What the file does not say stays. */
function merged(known: ReceivableDetails, row: ReceivableDetails): ReceivableDetails {
  return {
    issueDate: row.issueDate ?? known.issueDate,
    dueDate: row.dueDate,
    amount: row.amount,
    reference: row.reference ?? known.reference,
    url: row.url ?? known.url,
  }
}
