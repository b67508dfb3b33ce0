import type { Logger } from 'pino'
import type { UserId } from '#contracts/ids'
import type { CommandContext, CommandFor, CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { billingStream } from '#services/foundation/stream-names'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type {
  KnownObjects,
  ProviderState,
  ProviderSubscription,
} from '#services/payments/provider-state'
import { billingDecider, type BillingCommand } from './billing-decider.ts'
import { createBlockedAccounts } from './blocked-account.ts'
import { subscriptionIdOf } from './product-ids.ts'
import { needsPlanSteps } from './comparison/plan-changes.ts'
import { liveSubscriptions, type BillingState } from './billing-state.ts'

export interface BillingParts {
  readonly commands: CommandHandler
  readonly provider: PaymentProvider
  readonly clock: Clock
  readonly log: Logger
}

export type BillingStream = ReturnType<typeof createBillingStream>

/** One customer's billing stream, and the customer's state at the provider. */
export function createBillingStream({ commands, provider, clock, log }: BillingParts) {
  const now = () => clock.now().toISOString()
  const { isBlocked, mustEnd } = createBlockedAccounts({ commands, log })
  return {
    now,
    isBlocked,

    load: (userId: UserId) =>
      commands.load({ decider: billingDecider, stream: billingStream(userId) }),

    async handle(
      userId: UserId,
      command: BillingCommand | CommandFor<BillingState, BillingCommand>,
      context: CommandContext,
    ) {
      const result = await commands.handle({
        decider: billingDecider,
        stream: billingStream(userId),
        command,
        context,
      })
      const live = liveSubscriptions(result.state)
      if (live.length > 1)
        log.error(
          { userId, subscriptions: live.map((each) => each.subscriptionId) },
          'The customer has more than one live subscription. Refund and cancel all but one.',
        )
      if (!(await mustEnd(userId, result))) return result
      const { state, revision, position } = await commands.handle({
        decider: billingDecider,
        stream: billingStream(userId),
        command: { type: 'end-blocked', at: now() },
        context: { ...context, commandId: `${context.commandId} end` },
      })
      return { ...result, state, revision, position }
    },

    /**
     * For a command that the handler makes after it has loaded the stream, and again after a
     * conflict. So an older state is never recorded after a newer state.
     */
    async fetchProviderState(state: BillingState): Promise<ProviderState> {
      const known = knownObjects(state)
      const states = await Promise.all(
        linkedCustomers(state).map((customer) => provider.fetchState(customer, known)),
      )
      return {
        customer: states.at(-1)?.customer ?? null,
        checkouts: states.flatMap(({ checkouts }) => checkouts),
        subscriptions: await Promise.all(
          states
            .flatMap(({ subscriptions }) => subscriptions)
            .map((seen) => withSteps(state, seen)),
        ),
        invoices: states.flatMap(({ invoices }) => invoices),
        refunds: states.flatMap(({ refunds }) => refunds),
        creditNotes: states.flatMap(({ creditNotes }) => creditNotes),
        disputes: states.flatMap(({ disputes }) => disputes),
      }
    },
  }

  async function withSteps(
    { subscriptions }: BillingState,
    seen: ProviderSubscription,
  ): Promise<ProviderSubscription> {
    const known = subscriptions.get(subscriptionIdOf(seen.stripeSubscriptionId))
    if (known?.kind === 'ended' || !needsPlanSteps(known, seen)) return seen
    const since = known?.planSince ?? seen.startedAt
    return {
      ...seen,
      planSteps: await provider.planSteps(seen.stripeSubscriptionId, since),
    }
  }
}

function knownObjects({ invoices }: BillingState): KnownObjects {
  return {
    paidInvoices: new Set(
      [...invoices].filter(([, { kind }]) => kind === 'paid').map(([id]) => id),
    ),
  }
}

/** The deleted customers are included: their payments can still be refunded. */
function linkedCustomers({ formerCustomerIds, stripeCustomerId }: BillingState): readonly string[] {
  return stripeCustomerId === null ? [] : [...formerCustomerIds, stripeCustomerId]
}
