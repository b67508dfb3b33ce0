import { List, Map as PersistentMap } from 'immutable'
import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { TimeZone } from '#services/finance/time-zone'
import type { TextNumber } from '#services/sms/text-number'
import { dayOf } from '../day-of.ts'
import { clientZones } from '../reminders/client-zones.ts'
import type { ForecastClient } from '../reminders/forecast.ts'
import { obstaclesOf, type ReachedClient, type Stopped } from '../reminders/obstacles.ts'
import type { RemindedClient, RemindedReceivable } from '../reminders/reminded.ts'
import { initialReminderState, stepKey, type ReminderState } from '../reminders/reminder-state.ts'
import { payingOf, type SubmittedPayment } from '../reminders/submitted-payments.ts'

/** A client that owes something, from the read model. Days are texts, `addedAt` is an instant. */
export interface OwingClient extends ReachedClient {
  readonly clientId: ClientId
  readonly name: string
  readonly state: string | null
  readonly timeZone: string | null
  readonly isHeld: boolean
  readonly holdUntil: string | null
  /** The end of the last hold by hand. */
  readonly releasedAt: Instant | null
  readonly owed: readonly {
    readonly receivableId: string
    readonly number: string
    readonly dueDate: string
    readonly open: number
    readonly currency: string
    readonly addedAt: string
    readonly isHeld: boolean
    readonly holdUntil: string | null
    readonly promisedBy: string | null
    readonly isDisputed: boolean
    readonly times: Pick<RemindedReceivable, 'reopened' | 'resumed'>
  }[]
  /** Payments of the client that were submitted. */
  readonly payments: readonly SubmittedPayment[]
  /** The steps of `owed` that ended. `isTold`: a message about the invoice went out. */
  readonly ended: readonly {
    readonly receivableId: string
    readonly stepId: string
    readonly repetition: number
    readonly day: string
    readonly isTold: boolean
    /** The message could not be delivered on any of its days. */
    readonly isUndelivered: boolean
  }[]
  /** The last messages to the client, oldest first. `why`: it was not sent. */
  readonly messages: readonly {
    readonly day: string
    readonly state: string
    readonly why: string | null
  }[]
}

/** What keeps messages from clients that the read model does not know. */
export interface StopsOf {
  /** What a number is for texts. Null: the product sends no texts. */
  readonly textNumberOf: ((phone: string) => Promise<TextNumber>) | null
  /** What each of these stopped. */
  manyStopsOf(
    merchantId: UserId,
    clients: readonly Pick<OwingClient, 'email' | 'phone'>[],
  ): Promise<readonly Stopped[]>
}

export interface OwingQueries {
  /** The next clients of the merchant in the order of their ids. */
  owingClients(
    merchantId: UserId,
    page: { readonly after: string; readonly max: number },
  ): Promise<readonly OwingClient[]>
  /** These clients, or those of these invoices. One that owes nothing is left out. */
  owingClientsAmong(
    merchantId: UserId,
    among:
      | { readonly clientIds: readonly string[] }
      | { readonly receivableIds: readonly string[] },
  ): Promise<readonly OwingClient[]>
  owingCounts(merchantId: UserId): Promise<{ readonly clients: number; readonly invoices: number }>
}

/** These clients, as the planner needs them. */
export async function forecastClientsOf(
  { manyStopsOf, textNumberOf }: StopsOf,
  merchantId: UserId,
  clients: readonly OwingClient[],
  merchantZone: TimeZone,
): Promise<readonly ForecastClient[]> {
  const numberOf = async (phone: string | null) =>
    phone === null || textNumberOf === null ? null : textNumberOf(phone)
  const [stopped, numbers] = await Promise.all([
    manyStopsOf(merchantId, clients),
    Promise.all(clients.map(({ phone }) => numberOf(phone))),
  ])
  return clients.map((client, place) =>
    forecastClientOf(
      client,
      merchantZone,
      stopped[place] ?? nothingStopped,
      numbers[place] ?? null,
    ),
  )
}

const nothingStopped = { mail: null, text: null }

/** As the planner needs the client. */
export function forecastClientOf(
  client: OwingClient,
  merchantZone: TimeZone,
  stopped: Stopped,
  number: TextNumber | null,
): ForecastClient {
  return {
    clientId: client.clientId,
    state: stateOf(client),
    client: {
      ...clientZones(client, merchantZone),
      ...obstaclesOf(client, stopped, number),
      hold: holdOf(client),
      releasedAt: client.releasedAt,
    },
    receivables: client.owed.map((owed) => ({
      receivableId: owed.receivableId,
      dueDate: dayOf(owed.dueDate),
      addedAt: owed.addedAt,
      settled: null,
      reopened: owed.times.reopened,
      hold: holdOf(owed),
      promisedBy: owed.promisedBy === null ? null : dayOf(owed.promisedBy),
      isDisputed: owed.isDisputed,
      ...payingOf(client.payments, owed.receivableId),
      resumed: owed.times.resumed,
    })),
  }
}

/**
 * What became of the client's steps, as far as it decides what comes. How a step ended does not:
 * the planner asks whether and when. A message on its way counts as one that arrives.
 */
function stateOf({ ended, messages }: OwingClient): ReminderState {
  const wentOut = messages.filter(({ state }) => state !== 'not-sent')
  const last = messages.findLastIndex(({ state }) => state !== 'not-sent')
  const undelivered = ended.flatMap(({ isUndelivered, day }) => (isUndelivered ? [day] : []))
  const counted = undelivered.toSorted().at(-1) ?? ''
  const refused = messages
    .slice(last + 1)
    .filter(({ why, day }) => why === 'not-accepted' && day > counted)
  return {
    ...initialReminderState,
    ended: PersistentMap(
      ended.map((step) => [
        stepKey(step),
        { kind: 'replaced' as const, messageId: '', day: dayOf(step.day) },
      ]),
    ),
    told: PersistentMap(
      ended.filter(({ isTold }) => isTold).map(({ receivableId }) => [receivableId, true as const]),
    ),
    days: List(wentOut.map(({ day }) => dayOf(day))),
    refusedDays: List([...new Set(refused.map(({ day }) => day))].map(dayOf)),
  }
}

function holdOf({
  isHeld,
  holdUntil,
}: {
  readonly isHeld: boolean
  readonly holdUntil: string | null
}): RemindedClient['hold'] {
  if (!isHeld) return null
  return { until: holdUntil === null ? null : dayOf(holdUntil) }
}
