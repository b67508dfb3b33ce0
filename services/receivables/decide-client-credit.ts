import type { ClientEvent } from '#contracts/events/client'
import type { MoneyMethod } from '#contracts/events/receivable-parts'
import type { ReceivableId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decision,
} from '#services/foundation/decider'
import type { AddedClient, Credit } from './client-state.ts'

/** `amount` is in minor units of the credit's currency, more than 0. */
export type CreditAct =
  /** The surplus of a payment that a receivable of the client recorded. */
  | {
      readonly type: 'add-credit'
      readonly creditId: string
      readonly currency: string
      readonly amount: number
      readonly date: Day
      readonly receivableId: ReceivableId
      readonly paymentId: string
    }
  /** Reserves the amount; then the receivable gets it by `receive-credit`. */
  | {
      readonly type: 'apply-credit'
      readonly creditId: string
      readonly applicationId: string
      readonly receivableId: ReceivableId
      /** Of the receivable: a credit pays only its own currency. */
      readonly currency: string
      readonly amount: number
    }
  /** The receivable did not need this much of the application, or gave it back. */
  | {
      readonly type: 'restore-credit'
      readonly creditId: string
      readonly applicationId: string
      readonly amount: number
      readonly why: 'not-needed' | 'taken-back'
    }
  | {
      readonly type: 'return-credit'
      readonly creditId: string
      readonly returnId: string
      readonly amount: number
      readonly date: Day
      readonly method: MoneyMethod
      readonly note: string | null
    }
  /** Before the payment of the credit is reversed. */
  | {
      readonly type: 'cancel-credit'
      readonly creditId: string
      readonly receivableId: ReceivableId
      readonly paymentId: string
      readonly why: 'recorded-in-error' | 'returned'
      readonly date: Day
      readonly note: string | null
    }
  /** A reversal of the payment takes this much of the credit that its surplus became. */
  | {
      readonly type: 'reverse-credit'
      readonly creditId: string
      readonly amount: number
      readonly receivableId: ReceivableId
      readonly paymentId: string
      readonly reversalId: string
    }

export type CreditRefusal =
  | { readonly kind: 'in-the-future' }
  | { readonly kind: 'unknown-credit' }
  | { readonly kind: 'other-currency' }
  /** `left`: what is left of the credit. */
  | { readonly kind: 'above-credit'; readonly left: number }
  /** Some of the credit was applied or returned. */
  | { readonly kind: 'credit-used' }

/** The credits of a client: money that it paid and that no receivable has used. */
export function decideClientCredit(
  command: CreditAct & { readonly today: Day; readonly at: Instant },
  state: AddedClient,
): Decision<ClientEvent, CreditRefusal> {
  const occurredAt = command.at
  const { today } = command
  const { merchantId, clientId } = state
  const owner = { merchantId, clientId }

  switch (command.type) {
    case 'add-credit': {
      const { creditId, currency, amount, date, receivableId, paymentId } = command
      if (state.credits.has(creditId)) return accepted()
      return accepted({
        type: 'CreditAdded',
        data: { ...owner, creditId, currency, amount, date, receivableId, paymentId },
        occurredAt,
      })
    }
    case 'apply-credit': {
      const { creditId, applicationId, receivableId, currency, amount } = command
      if (state.applications.has(applicationId)) return accepted()
      const credit = state.credits.get(creditId)
      if (credit === undefined) return refused({ kind: 'unknown-credit' })
      if (credit.currency !== currency) return refused({ kind: 'other-currency' })
      if (amount > credit.left) return refused({ kind: 'above-credit', left: credit.left })
      return accepted({
        type: 'CreditApplied',
        data: { ...owner, creditId, currency, amount, applicationId, receivableId, date: today },
        occurredAt,
      })
    }
    case 'restore-credit': {
      const { creditId, applicationId } = command
      const credit = state.credits.get(creditId)
      const applied = state.applications.get(applicationId)
      if (credit === undefined || applied === undefined) return refused({ kind: 'unknown-credit' })
      // A repeat has another command id if another process completes the act.
      const amount = Math.min(command.amount, applied)
      if (amount === 0) return accepted()
      const fact = `${applicationId} ${command.why === 'taken-back' ? 'taken back' : 'restored'}`
      const { currency } = credit
      return accepted<ClientEvent>(
        {
          type: 'CreditRestored',
          data: { ...owner, creditId, currency, amount, applicationId },
          occurredAt,
          fact,
        },
        ...owedToRefund(creditId, credit, owner, { amount, occurredAt, fact }),
      )
    }
    case 'reverse-credit': {
      const { creditId, amount, receivableId, paymentId, reversalId } = command
      const credit = state.credits.get(creditId)
      if (credit === undefined) return refused({ kind: 'unknown-credit' })
      if (credit.reversals.has(reversalId)) return accepted()
      const taken = Math.min(amount, credit.left)
      const short = credit.short + amount - taken
      const { currency } = credit
      const of = { receivableId, paymentId, reversalId }
      return accepted({
        type: 'CreditReversed',
        data: { ...owner, creditId, currency, ...of, amount: taken, short },
        occurredAt,
        fact: `${creditId} reversed by ${reversalId}`,
      })
    }
    case 'return-credit': {
      const { creditId, returnId, amount, date, method, note } = command
      if (state.returns.has(returnId)) return accepted()
      const credit = state.credits.get(creditId)
      if (credit === undefined) return refused({ kind: 'unknown-credit' })
      if (date > today) return refused({ kind: 'in-the-future' })
      if (amount > credit.left) return refused({ kind: 'above-credit', left: credit.left })
      const { currency } = credit
      return accepted({
        type: 'CreditReturned',
        data: { ...owner, creditId, currency, amount, returnId, date, method, note },
        occurredAt,
      })
    }
    case 'cancel-credit': {
      const { creditId, receivableId, paymentId, why, date, note } = command
      const credit = state.credits.get(creditId)
      if (credit === undefined) return refused({ kind: 'unknown-credit' })
      if (credit.isCanceled) return accepted()
      if (credit.left !== credit.added) return refused({ kind: 'credit-used' })
      const { currency, left: amount } = credit
      return accepted({
        type: 'CreditCanceled',
        data: { ...owner, creditId, currency, amount, receivableId, paymentId, why, date, note },
        occurredAt,
      })
    }
    default:
      return unreachable(command)
  }
}

/**
 * What comes back to a credit that owes a refund goes to the refund: the money is with the client
 * already.
 */
function owedToRefund(
  creditId: string,
  { currency, short, receivableId, paymentId }: Credit,
  owner: Pick<AddedClient, 'merchantId' | 'clientId'>,
  restored: { readonly amount: number; readonly occurredAt: Instant; readonly fact: string },
): readonly Decided<ClientEvent>[] {
  const amount = Math.min(short, restored.amount)
  if (amount === 0) return []
  const reversalId = restored.fact
  const of = { receivableId, paymentId, reversalId }
  return [
    {
      type: 'CreditReversed',
      data: { ...owner, creditId, currency, ...of, amount, short: short - amount },
      occurredAt: restored.occurredAt,
      fact: `${creditId} reversed by ${reversalId}`,
    },
  ]
}
