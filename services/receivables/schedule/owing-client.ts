import type { ClientId, UserId } from '#contracts/ids'
import type { TimeZone } from '#services/finance/time-zone'
import { dayOf } from '../day-of.ts'
import { clientZones } from '../reminders/client-zones.ts'
import type { ForecastClient } from '../reminders/forecast.ts'
import type { RemindedClient } from '../reminders/reminded.ts'
import { initialReminderState } from '../reminders/reminder-state.ts'

/** A client that owes something, from the read model. Days are texts, `addedAt` is an instant. */
export interface OwingClient {
  readonly clientId: ClientId
  readonly name: string
  readonly hasEmail: boolean
  readonly hasPhone: boolean
  readonly mayText: boolean
  readonly state: string | null
  readonly timeZone: string | null
  readonly isHeld: boolean
  readonly holdUntil: string | null
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
  }[]
}

export interface OwingQueries {
  /** The next clients of the merchant in the order of their ids. */
  owingClients(
    merchantId: UserId,
    page: { readonly after: string; readonly most: number },
  ): Promise<readonly OwingClient[]>
  owingCounts(merchantId: UserId): Promise<{ readonly clients: number; readonly invoices: number }>
}

/** As the planner needs the client. No message has gone to any client yet. */
export function forecastClientOf(client: OwingClient, merchantZone: TimeZone): ForecastClient {
  return {
    clientId: client.clientId,
    state: initialReminderState,
    client: {
      ...clientZones(client, merchantZone),
      ...obstaclesOf(client),
      hold: holdOf(client),
      releasedAt: null,
    },
    receivables: client.owed.map((owed) => ({
      receivableId: owed.receivableId,
      dueDate: dayOf(owed.dueDate),
      addedAt: owed.addedAt,
      settled: null,
      reopened: null,
      hold: holdOf(owed),
      promisedBy: owed.promisedBy === null ? null : dayOf(owed.promisedBy),
      isDisputed: owed.isDisputed,
      resumed: null,
    })),
  }
}

/** Why a channel cannot reach the client. Null: it can. */
export function obstaclesOf({
  hasEmail,
  hasPhone,
  mayText,
}: OwingClient): Pick<RemindedClient, 'mail' | 'text'> {
  return {
    mail: hasEmail ? null : 'no-address',
    text: hasPhone ? (mayText ? null : 'no-consent') : 'no-address',
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
