import { List, Map as PersistentMap } from 'immutable'
import type { ChannelObstacle } from '#contracts/events/client-reminder'
import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { TimeZone } from '#services/finance/time-zone'
import { dayOf } from '../day-of.ts'
import { clientZones } from '../reminders/client-zones.ts'
import type { ForecastClient } from '../reminders/forecast.ts'
import type { RemindedClient, RemindedReceivable } from '../reminders/reminded.ts'
import { initialReminderState, stepKey, type ReminderState } from '../reminders/reminder-state.ts'
import { payingOf, type SubmittedPayment } from '../reminders/submitted-payments.ts'

/** A client that owes something, from the read model. Days are texts, `addedAt` is an instant. */
export interface OwingClient {
  readonly clientId: ClientId
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  /** The address refused messages for good. */
  readonly mailBounced: boolean
  readonly textBounced: boolean
  readonly mayText: boolean
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
  }[]
  /** The last messages to the client, oldest first. `why`: it was not sent. */
  readonly messages: readonly {
    readonly day: string
    readonly state: string
    readonly why: string | null
  }[]
}

/** What a client stopped. Null: nothing. */
interface Stopped {
  readonly mail: string | null
  readonly text: string | null
}

export interface StopsOf {
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
    page: { readonly after: string; readonly most: number },
  ): Promise<readonly OwingClient[]>
  owingCounts(merchantId: UserId): Promise<{ readonly clients: number; readonly invoices: number }>
}

/** As the planner needs the client. */
export function forecastClientOf(
  client: OwingClient,
  merchantZone: TimeZone,
  stopped: Stopped,
): ForecastClient {
  return {
    clientId: client.clientId,
    state: stateOf(client),
    client: {
      ...clientZones(client, merchantZone),
      ...obstaclesOf(client, stopped),
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
  const refused = messages.slice(last + 1).filter(({ why }) => why === 'not-accepted')
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

/** Why a channel cannot reach the client. Null: it can. */
function obstaclesOf(
  { email, phone, mayText, mailBounced, textBounced }: OwingClient,
  stopped: Stopped,
): Pick<RemindedClient, 'mail' | 'text'> {
  const unless = (
    isStopped: boolean,
    hasBounced: boolean,
  ): Extract<ChannelObstacle, 'stopped' | 'bounced'> | null =>
    isStopped ? 'stopped' : hasBounced ? 'bounced' : null
  return {
    mail: email === null ? 'no-address' : unless(stopped.mail !== null, mailBounced),
    text:
      phone === null
        ? 'no-address'
        : mayText
          ? unless(stopped.text !== null, textBounced)
          : 'no-consent',
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
