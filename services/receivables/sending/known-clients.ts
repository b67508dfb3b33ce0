import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { addDays } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import {
  clientReminderStream,
  clientStream,
  merchantStream,
  receivableStream,
} from '#services/foundation/stream-names'
import type { TextNumber } from '#services/sms/text-number'
import { awaitedPayments } from '../checkout/awaited-payments.ts'
import { clientDecider } from '../client-decider.ts'
import { evolveClient, type ClientState } from '../client-state.ts'
import type { MerchantOf } from '../merchant-access.ts'
import { merchantDecider } from '../merchant-decider.ts'
import { receivableDecider } from '../receivable-decider.ts'
import { localTime } from '../reminders/local-time.ts'
import { longestWaitDays } from '../reminders/plan-client.ts'
import { remindedReceivable } from '../reminders/reminded-receivable.ts'
import { clientReminderDecider } from '../reminders/reminder-decider.ts'
import type { ReminderState } from '../reminders/reminder-state.ts'
import { submittedPayments, type SubmittedPayment } from '../reminders/submitted-payments.ts'
import type { ContactStops } from '../stops/contact-stops.ts'
import { knownClient, type KnownClient } from './known-client.ts'
import type { MerchantDays } from './merchant-days.ts'
import { knownMerchant, type KnownMerchant } from './known-merchant.ts'

export interface KnownClientsParts {
  readonly commands: Pick<CommandHandler, 'load' | 'loadEvents'>
  readonly merchantOf: MerchantOf
  readonly timeZoneOf: (merchantId: UserId) => Promise<TimeZone>
  readonly stops: Pick<ContactStops, 'stopsOf'>
  /** The receivables of a client that may be owed. */
  readonly owedBy: (clientId: ClientId) => Promise<readonly ReceivableId[]>
  /** The places that the merchant's messages took on its last days. */
  readonly countsOf: MerchantDays['countsOf']
  /** The business clock. */
  readonly clock: Clock
  /** What a number is for texts. Null: the product sends no texts. */
  readonly textNumberOf: ((phone: string) => Promise<TextNumber>) | null
}

/** Reads what decides about messages, from the log. Its answers are as old as the call. */
export interface KnownClients {
  /** @throws EventStoreUnavailable */
  merchantOf(merchantId: UserId): Promise<KnownMerchant>
  /** What became of the client's messages so far. @throws EventStoreUnavailable */
  stateOf(clientId: ClientId): Promise<ReminderState>
  /**
   * Null: there is no such client of the merchant, or it was erased. `also`: receivables that may
   * be too new for the agenda.
   * @throws EventStoreUnavailable
   */
  clientOf(
    merchant: KnownMerchant,
    clientId: ClientId,
    also?: readonly ReceivableId[],
  ): Promise<KnownClient | null>
}

export function createKnownClients(parts: KnownClientsParts): KnownClients {
  const { commands, merchantOf, timeZoneOf, stops, owedBy, countsOf, clock, textNumberOf } = parts

  async function receivableOf(receivableId: ReceivableId, payments: readonly SubmittedPayment[]) {
    const events = await commands.loadEvents({
      decider: receivableDecider,
      stream: receivableStream(receivableId),
    })
    return remindedReceivable(events, payments)
  }

  const remindersOf = (clientId: ClientId) =>
    commands.load({ decider: clientReminderDecider, stream: clientReminderStream(clientId) })

  return {
    stateOf: async (clientId) => (await remindersOf(clientId)).state,

    async merchantOf(merchantId) {
      const [events, merchant, timeZone] = await Promise.all([
        commands.loadEvents({ decider: merchantDecider, stream: merchantStream(merchantId) }),
        merchantOf(merchantId),
        timeZoneOf(merchantId),
      ])
      const today = localTime(timeZone).dayOf(clock.now().toISOString())
      // A step can have waited so long, and its reason says for what.
      const counts = await countsOf(merchantId, addDays(today, -longestWaitDays))
      return knownMerchant(events, { merchantId, merchant, timeZone, counts, today })
    },

    async clientOf(merchant, clientId, also = []) {
      const { merchantId } = merchant
      const [clientEvents, owed, reminders] = await Promise.all([
        commands.loadEvents({ decider: clientDecider, stream: clientStream(clientId) }),
        owedBy(clientId),
        remindersOf(clientId),
      ])
      const client = clientEvents.reduce<ClientState>(evolveClient, clientDecider.initialState)
      if (client.kind !== 'added' || client.merchantId !== merchantId || client.isErased)
        return null
      const { email, phone } = client.details
      const payments = submittedPayments(clientEvents)
      const isAwaited = awaitedPayments(client)
      const [receivables, stopped, textNumber] = await Promise.all([
        Promise.all([...new Set([...owed, ...also])].map((id) => receivableOf(id, payments))),
        stops.stopsOf(merchantId, { email, phone }),
        phone === null || textNumberOf === null ? null : textNumberOf(phone),
      ])
      return knownClient({
        merchant,
        client,
        clientEvents,
        receivables: receivables
          .filter((each) => each !== null)
          .filter(({ state }) => state.clientId === clientId)
          .map(({ state, reminded }) => ({
            state,
            // A payment that the client's stream has stops its reminders at once.
            reminded: { ...reminded, isPaying: reminded.isPaying || isAwaited(state) },
          })),
        stops: stopped,
        textNumber,
        state: reminders.state,
        revision: reminders.revision,
      })
    },
  }
}
