import type { Logger } from 'pino'
import type { BillingEvent } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import type { HandledEvent } from '#services/commands/decision-events'
import type { CommandHandler } from '#services/commands/handle-command'
import { unreachable } from '#services/foundation/decider'
import { accountStream } from '#services/foundation/stream-names'
import { startedSubscriptions, type BillingState } from './billing-state.ts'

export interface BlockedAccounts {
  /**
   * Reads the account's stream. An erased account is blocked too: a page that the person can still
   * pay must start no plan.
   */
  isBlocked(userId: UserId): Promise<boolean>
  /**
   * Checks the outcome of a billing command. True if the account is blocked and has started
   * subscriptions, which the caller ends. Logs a payment of a blocked account as an error, once per
   * payment: only the process logs it that wrote the event.
   *
   * The check comes after the append. A block appends AccountBlocked before it ends subscriptions.
   * So a subscription is either in the stream when the block ends subscriptions, or this check
   * finds the block.
   */
  mustEnd(
    userId: UserId,
    outcome: {
      readonly state: BillingState
      readonly events: readonly HandledEvent<BillingEvent>[]
    },
  ): Promise<boolean>
}

export function createBlockedAccounts({
  commands,
  log,
}: {
  readonly commands: CommandHandler
  readonly log: Logger
}): BlockedAccounts {
  async function isBlocked(userId: UserId): Promise<boolean> {
    const { state } = await commands.load({
      decider: accountDecider,
      stream: accountStream(userId),
    })
    switch (state.kind) {
      case 'open':
        return state.isBlocked
      case 'erased':
        return true
      case 'unopened':
        return false
      default:
        return unreachable(state)
    }
  }

  return {
    isBlocked,

    async mustEnd(userId, { state, events }) {
      const payments = events.filter(isPayment)
      const hasStarted = startedSubscriptions(state).length > 0
      if ((payments.length === 0 && !hasStarted) || !(await isBlocked(userId))) return false
      for (const payment of payments)
        if (await commands.wrote(payment)) report(userId, payment.data)
      return hasStarted
    },
  }

  function report(userId: UserId, payment: Payment['data']): void {
    const { paymentId, invoiceRef, subscriptionId, amounts } = payment
    log.error(
      { userId, paymentId, invoiceRef, subscriptionId, amounts },
      'A payment of a blocked or erased account was recorded. Check it at the payment provider and refund it.',
    )
  }
}

type Payment = Extract<BillingEvent, { type: 'PaymentSucceeded' }>

function isPayment(event: HandledEvent<BillingEvent>): event is HandledEvent<Payment> {
  return event.type === 'PaymentSucceeded'
}
