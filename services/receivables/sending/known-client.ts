import type { ClientEvent } from '#contracts/events/client'
import type { ClientId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import type { TimeZone } from '#services/finance/time-zone'
import type { TextNumber } from '#services/sms/text-number'
import type { AddedClient } from '../client-state.ts'
import type { AddedReceivable } from '../receivable-state.ts'
import { clientZones } from '../reminders/client-zones.ts'
import { obstaclesOf } from '../reminders/obstacles.ts'
import type { RemindedClient, RemindedParts, RemindedReceivable } from '../reminders/reminded.ts'
import type { Addresses } from '../reminders/reminder-decider.ts'
import type { ReminderState } from '../reminders/reminder-state.ts'
import { plannedSchedule } from '../schedule/planned-schedule.ts'
import type { StopVia } from '../stops/contact-stop-decider.ts'
import type { KnownMerchant } from './known-merchant.ts'

/** All that decides about a client's messages, and what they say, as the log has it. */
export interface KnownClient {
  readonly merchant: KnownMerchant
  readonly clientId: ClientId
  readonly client: AddedClient
  /** As the merchant wrote them. */
  readonly to: Addresses
  /** The number of a text in E.164. Null: texts cannot go there. */
  readonly textTo: string | null
  readonly parts: RemindedParts
  readonly receivables: ReadonlyMap<string, AddedReceivable>
  readonly state: ReminderState
  /** Of the stream of the client's messages. Null: it does not exist. */
  readonly revision: number | null
}

export interface ClientParts {
  readonly merchant: KnownMerchant
  readonly client: AddedClient
  readonly clientEvents: readonly HandledEvent<ClientEvent>[]
  readonly receivables: readonly {
    readonly reminded: RemindedReceivable
    readonly state: AddedReceivable
  }[]
  readonly stops: { readonly mail: StopVia | null; readonly text: StopVia | null }
  /** What the number of the client is for texts. Null: the product sends no texts. */
  readonly textNumber: TextNumber | null
  readonly state: ReminderState
  readonly revision: number | null
}

export function knownClient(given: ClientParts): KnownClient {
  const { merchant, client, clientEvents, receivables, stops, state, revision, textNumber } = given
  const { email, phone } = client.details
  return {
    merchant,
    clientId: client.clientId,
    client,
    to: { mail: email, text: phone },
    textTo: textNumber?.kind === 'allowed' ? textNumber.to : null,
    parts: {
      merchant: {
        schedule: plannedSchedule(merchant.settings.reminders.schedule),
        timeZone: merchant.timeZone,
        sendingSince: merchant.sendingSince,
        isFull: merchant.isFull,
      },
      client: remindedClient(client, clientEvents, {
        merchantZone: merchant.timeZone,
        stops,
        textNumber,
      }),
      receivables: receivables.map(({ reminded }) => reminded),
    },
    receivables: new Map(receivables.map((each) => [each.state.receivableId, each.state])),
    state,
    revision,
  }
}

/** What reminders need to know of a client, from its stream and what stopped its messages. */
export function remindedClient(
  { details, hold, bounced, mayText }: AddedClient,
  events: readonly HandledEvent<ClientEvent>[],
  {
    merchantZone,
    stops,
    textNumber,
  }: Pick<ClientParts, 'stops' | 'textNumber'> & { readonly merchantZone: TimeZone },
): RemindedClient {
  const { email, phone } = details
  const reached = {
    email,
    phone,
    mailBounced: email !== null && bounced.mail === email,
    textBounced: phone !== null && bounced.text === phone,
    mayText,
  }
  return {
    ...clientZones(details, merchantZone),
    ...obstaclesOf(reached, stops, textNumber),
    hold,
    releasedAt: releasedAt(events),
  }
}

function releasedAt(events: readonly HandledEvent<ClientEvent>[]): Instant | null {
  return events.findLast(({ type }) => type === 'ClientReleased')?.metadata.occurredAt ?? null
}
