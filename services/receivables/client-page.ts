import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { ClientResponse } from '#contracts/receivables/clients'
import type { ComingMessages } from '#contracts/receivables/messages'
import type { ReceivablesAccess } from '#contracts/receivables/shared'
import type { HandledEvent } from '#services/commands/decision-events'
import type { Day } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { clientCard, creditsOf, shownText } from './client-card.ts'
import type { AddedClient } from './client-state.ts'
import type { AddedReceivable } from './receivable-state.ts'
import { messageHistory, type ReminderEvents } from './message-history.ts'
import { isSaidByInvoices, timelineEvent } from './timeline.ts'

/** Events on the page of a client. */
const maxEvents = 200
/** Invoices whose events the page of a client has. */
export const maxInvoices = 30

interface ClientParts {
  readonly state: AddedClient
  readonly events: readonly HandledEvent<ClientEvent>[]
  readonly figures: Pick<ClientResponse, 'balances' | 'openInvoices' | 'invoices' | 'oldestDue'>
  /** The latest invoices, with their events. */
  readonly invoices: readonly {
    readonly state: AddedReceivable
    readonly events: readonly HandledEvent<ReceivableEvent>[]
  }[]
  readonly reminders: ReminderEvents
  readonly coming: ComingMessages
  readonly access: ReceivablesAccess
  readonly portalUrl: string
  readonly stops: ClientResponse['stops']
  readonly today: Day
  readonly timeZone: TimeZone
}

/** The page of a client, from its events and those of its latest invoices. */
export function clientPage(parts: ClientParts): ClientResponse {
  const { state, events, figures, invoices, access, today, timeZone, portalUrl, stops } = parts
  const { details, hold, version, isErased } = state
  const numbers = new Map(
    invoices.map((each) => [each.state.receivableId as string, each.state.number]),
  )
  const dayOfInstant = daysIn(timeZone)
  const numberOf = (id: string) => numbers.get(id) ?? null
  const all = [
    ...[
      ...events.filter((event) => !isSaidByInvoices(event)),
      ...invoices.flatMap((invoice) => invoice.events),
    ].map((event) => timelineEvent(event, numberOf, dayOfInstant)),
    ...messageHistory(parts.reminders, { receivableId: null, numberOf, dayOf: dayOfInstant }),
  ].sort((one, other) => (one.recordedAt < other.recordedAt ? 1 : -1))
  return {
    access,
    today,
    timeZone,
    version,
    client: {
      ...clientCard(state),
      number: isErased || details.number === null ? null : shownText(details.number),
      addedAt: events[0]?.metadata.occurredAt ?? '',
    },
    textConsent: isErased ? null : consentOf(state, events),
    hold:
      hold === null
        ? null
        : {
            reason: shownText(hold.reason),
            until: hold.until,
            isOver: hold.until !== null && hold.until <= today,
          },
    portal: isErased
      ? null
      : {
          url: portalUrl,
          generation: state.portalGeneration,
          openedAt:
            events.findLast(({ type }) => type === 'ClientPortalOpened')?.metadata.occurredAt ??
            null,
        },
    bounced: {
      mail: state.bounced.mail !== null,
      text: state.bounced.text !== null,
    },
    stops,
    ...figures,
    credits: creditsOf(state, null),
    timeline: all.slice(0, maxEvents),
    coming: parts.coming,
    timelineIsWhole: all.length <= maxEvents && figures.invoices <= invoices.length,
  }
}

function consentOf({ mayText }: AddedClient, events: ClientParts['events']) {
  const consent = events.findLast(({ type }) => type === 'TextConsentRecorded')
  if (!mayText || consent?.type !== 'TextConsentRecorded') return null
  return { source: shownText(consent.data.source), date: consent.data.date }
}
