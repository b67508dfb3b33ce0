import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accountDecider, type AccountState } from '#services/accounts/account-decider'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandFor, CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import {
  PaymentProviderUnavailable,
  type PaymentProvider,
} from '#services/payments/payment-provider'
import { noHistory } from '#services/payments/provider-change'
import type { KnownObjects, PresentState, ProviderState } from '#services/payments/provider-state'
import { billingDecider, type BillingCommand } from './billing-decider.ts'
import { createBlockedAccounts } from './blocked-account.ts'
import { completedBy } from './customer-details.ts'
import { needsHistory } from './comparison/needs-history.ts'
import { liveSubscriptions, type BillingState } from './billing-state.ts'

export interface BillingParts {
  readonly commands: CommandHandler
  readonly provider: PaymentProvider
  readonly clock: Clock
  readonly log: Logger
  /**
   * The provider's time up to which every event of the provider is handled; null if unknown. For
   * the reconciler's cursor.
   */
  readonly eventsHandledUntil: () => Promise<Instant | null>
}

/** A customer changes a few times a day, and a read takes about a second. */
const maxReads = 5

export type BillingStream = ReturnType<typeof createBillingStream>

/** One customer's billing stream, and the customer's state at the provider. */
export function createBillingStream({
  commands,
  provider,
  clock,
  log,
  eventsHandledUntil,
}: BillingParts) {
  const now = () => clock.now().toISOString()
  const { isBlocked, mustEnd } = createBlockedAccounts({ commands, log })
  return {
    now,
    isBlocked,

    load: (userId: UserId) =>
      commands.load({ decider: billingDecider, stream: billingStream(userId) }),

    loadEvents: (userId: UserId) =>
      commands.loadEvents({ decider: billingDecider, stream: billingStream(userId) }),

    /**
     * Handles the command. If the command shows that the account is blocked while the stream has a
     * plan, appends the ends of the plans in a second command: a block can come while a checkout is
     * in progress.
     */
    async handleAndEndBlocked(
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
     * conflict. So an older state is never recorded after a newer state. `changesSince` is the
     * time of the oldest event that reports a change and is handled now; null without such an
     * event. The state is read before and after the events, until the events explain the state:
     * otherwise they could show a change that the state does not have.
     * @throws PaymentProviderUnavailable, PaymentProviderRefused
     */
    async fetchProviderState(
      userId: UserId,
      state: BillingState,
      changesSince: Instant | null = null,
    ): Promise<ProviderState> {
      const { state: account } = await commands.load({
        decider: accountDecider,
        stream: accountStream(userId),
      })
      const fetchPresentState = async () => withBuyers(await fetchLinked(state), account)
      let present = await fetchPresentState()
      for (let attempt = 1; attempt <= maxReads; attempt += 1) {
        if (changesSince === null && !needsHistory(state, present))
          return { ...present, history: noHistory }
        const history = await fetchHistory(present, changesSince)
        const after = await fetchPresentState()
        if (haveEqualParts(present, after)) return { ...after, history }
        present = after
      }
      throw new PaymentProviderUnavailable(
        'reading the history of the customer',
        new Error(`The customer changed during each of ${maxReads} reads.`),
      )
    },
  }

  async function fetchLinked(state: BillingState): Promise<PresentState> {
    const known = knownObjects(state)
    const states = await Promise.all(
      linkedCustomers(state).map((customer) => provider.fetchState(customer, known)),
    )
    return {
      customer: states.at(-1)?.customer ?? null,
      checkouts: states.flatMap(({ checkouts }) => checkouts),
      subscriptions: states.flatMap(({ subscriptions }) => subscriptions),
      invoices: states.flatMap(({ invoices }) => invoices),
      refunds: states.flatMap(({ refunds }) => refunds),
      creditNotes: states.flatMap(({ creditNotes }) => creditNotes),
      disputes: states.flatMap(({ disputes }) => disputes),
    }
  }

  /** All events before `eventsHandledUntil` are in the stream, so they are not read again. */
  async function fetchHistory(present: PresentState, changesSince: Instant | null) {
    const handledUntil = await eventsHandledUntil()
    const since =
      changesSince !== null && handledUntil !== null && changesSince < handledUntil
        ? changesSince
        : handledUntil
    return provider.fetchHistory(objectRefsOf(present), since)
  }
}

/** The provider may lack what the account says about the buyer. */
function withBuyers(present: PresentState, account: AccountState): PresentState {
  const { customer, invoices } = present
  return {
    ...present,
    customer: customer && { ...customer, billed: completedBy(customer.billed, account) },
    invoices: invoices.map((invoice) => ({
      ...invoice,
      billed: completedBy(invoice.billed, account),
    })),
  }
}

/** Equal in everything that a history explains. */
function haveEqualParts(a: PresentState, b: PresentState): boolean {
  return (['subscriptions', 'refunds', 'disputes'] as const).every((kind) =>
    isDeepStrictEqual(a[kind], b[kind]),
  )
}

function objectRefsOf({
  checkouts,
  subscriptions,
  refunds,
  disputes,
}: PresentState): ReadonlySet<ProviderRef> {
  return new Set([
    ...checkouts.map(({ sessionRef }) => sessionRef),
    ...subscriptions.map(({ subscriptionRef }) => subscriptionRef),
    ...refunds.map(({ refundRef }) => refundRef),
    ...disputes.map(({ disputeRef }) => disputeRef),
  ])
}

function knownObjects({ invoices }: BillingState): KnownObjects {
  return {
    paidInvoices: new Set(
      [...invoices].filter(([, { kind }]) => kind === 'paid').map(([id]) => id),
    ),
  }
}

/** The deleted customers are included: their payments can still be refunded. */
function linkedCustomers({
  formerCustomerRefs,
  customerRef,
}: BillingState): readonly ProviderRef[] {
  return customerRef === null ? [] : [...formerCustomerRefs, customerRef]
}
