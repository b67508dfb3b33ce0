import { z } from 'zod'
import { parseClientId, parseUserId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { StoredEvent } from '#services/event-store/event-store'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { Queryable } from '#services/foundation/queryable'
import { clientStream, streamOwner } from '#services/foundation/stream-names'
import { readCheckpoint } from '#services/reactors/outbox'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { clientDecider } from '../client-decider.ts'
import { overlapping } from './decide-checkout.ts'
import { isUnderWay } from './checkout-state.ts'
import { clientsWithCheckouts, type OpenCheckouts } from './open-checkouts-table.ts'
import type { CheckoutSync } from './sync-checkout.ts'

const name = 'closed-checkouts'

/** After these events a checkout may not be paid any more. */
const ends = eventConsumer({
  name: 'end of client checkouts',
  concernedBy: ['access', 'subscription', 'erasure', 'receivable', 'movement', 'ways-to-pay'],
  ignores: [
    'AccountUnblocked',
    'SubscriptionStarted',
    'SubscriptionRenewed',
    'SubscriptionResumed',
    'PlanChangeScheduled',
    'PlanChangeDropped',
    'RecurringDeductionsChanged',
    'CancellationScheduled',
    'CancellationWithdrawn',
    'EnquiryErased',
    'ReceivableAdded',
    'RemindersHeld',
    'RemindersReleased',
    'PaymentPromised',
    'PromiseWithdrawn',
    'DisputeResolved',
    'PaymentReversed',
    'CreditTakenBack',
    'ReceivableReopened',
    'CreditAdded',
    'CreditApplied',
    'CreditRestored',
    'CreditReturned',
    'CreditCanceled',
    'CreditReversed',
    'PaymentAccountCreated',
    'PaymentAccountReconnected',
    'PaymentAccountChanged',
    'GatewayLinkChanged',
    'PayInstructionsChanged',
  ],
})

export interface ClosingParts {
  readonly commands: Pick<CommandHandler, 'load'>
  readonly open: Pick<OpenCheckouts, 'ofMerchant'>
  readonly sync: CheckoutSync
}

/**
 * Closes the checkouts of clients when the plan ends or changes, the account is blocked or erased,
 * or what they would pay is no longer owed. Who opens a page looks for these facts after its
 * reservation, so one of both finds the other.
 */
export function closedCheckoutsReactor({ commands, open, sync }: ClosingParts): Reactor {
  return defineReactor({
    name,
    handles: [ends],
    options: {
      fold: {
        position: (db, logId) => readCheckpoint(db, name, logId),
        choose: withoutQuietImports,
        parked: () => Promise.resolve([]),
        retry: () => Promise.resolve([]),
      },
    },
    async effect(event, attempt) {
      const context = reactorContext(name, event, attempt)
      switch (event.type) {
        case 'AccountBlocked':
        case 'SubscriptionEnded':
        case 'SubscriptionPaused':
        case 'SubscriptionStatusChanged':
        case 'PlanChanged':
        case 'PersonalDataErased':
        case 'MerchantErased':
        case 'PaymentAccountDisconnected':
          await closeAllOf(parseUserId(streamOwner(event.stream)), context)
          return
        case 'ClientErased':
          await closeOf(event.data.clientId, null, context)
          return
        // Also one of the portal: a refund that failed can pay what another page asks for.
        case 'PaymentRecorded':
          await closeOf(event.data.clientId, event.data.receivableId, context)
          return
        case 'ReceivableChanged':
          if (event.data.after.amount >= event.data.before.amount) return
          await closeOf(event.data.clientId, event.data.receivableId, context)
          return
        case 'ReceivableDisputed':
        case 'CreditMemoIssued':
        case 'CreditReceived':
        case 'ReceivableWrittenOff':
        case 'ReceivableCanceled':
        case 'ReceivableWithdrawn':
          await closeOf(event.data.clientId, event.data.receivableId, context)
          return
        default:
          unreachable(event)
      }
    },
  })

  async function closeAllOf(merchantId: UserId, context: CommandContext): Promise<void> {
    for (const { clientId, checkoutId } of await open.ofMerchant(merchantId))
      await sync.close(clientId, checkoutId, context)
  }

  /** `receivableId` null: every checkout of the client. */
  async function closeOf(
    client: string,
    receivableId: string | null,
    context: CommandContext,
  ): Promise<void> {
    const clientId = parseClientId(client)
    const { state } = await commands.load({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    if (state.kind !== 'added') return
    const concerned =
      receivableId === null
        ? [...state.checkouts.values()].filter(isUnderWay)
        : overlapping(state, [{ receivableId }])
    for (const { checkoutId } of concerned) await sync.close(clientId, checkoutId, context)
  }
}

const ofImport = z.object({ clientId: z.string(), isEstimated: z.literal(true) })

/**
 * An import records thousands of payments, of invoices that a file says are paid. Only those of
 * clients with a checkout under way need an entry: a checkout is listed before it is reserved, and
 * who opens its page looks for payments after that.
 */
async function withoutQuietImports(
  tx: Queryable,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const importedFor = ({ type, data }: StoredEvent): string | null =>
    type === 'PaymentRecorded' ? (ofImport.safeParse(data).data?.clientId ?? null) : null
  const clients = new Set(events.flatMap((event) => importedFor(event) ?? []))
  const paying = await clientsWithCheckouts(tx, [...clients])
  return events.filter((event) => {
    const clientId = importedFor(event)
    return clientId === null || paying.has(clientId)
  })
}
