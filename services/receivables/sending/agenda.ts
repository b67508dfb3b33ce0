import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { StoredEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { Queryable } from '#services/foundation/queryable'
import { streamOwner } from '#services/foundation/stream-names'
import { readCheckpoint } from '#services/reactors/outbox'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { appointClients, appointMerchants, type NewAppointment } from './client-appointments.ts'

const name = 'reminder-agenda'

/** What can change when the next message to a client is due. Messages themselves cannot. */
const agenda = eventConsumer({
  name: 'agenda of reminders',
  concernedBy: [
    'client',
    'client-checkout',
    'receivable',
    'movement',
    'merchant',
    'subscription',
    'access',
  ],
  ignores: [
    'PortalLinkRevoked',
    'ClientPortalOpened',
    'ClientCheckoutStarted',
    'ClientCheckoutOpened',
    'ApiKeyMade',
    'ApiKeyRevoked',
  ],
})

/**
 * Makes an appointment now for each client that an event is about, or for all clients of the
 * merchant. Each batch of the log is one transaction with a few statements: an import of thousands
 * of invoices makes no outbox entries.
 */
export function agendaReactor({ clock }: { readonly clock: Clock }): Reactor {
  return defineReactor({
    name,
    handles: [agenda],
    // The fold does all of it: no event has an entry.
    effect: () => Promise.resolve(),
    options: {
      fold: {
        position: (db, logId) => readCheckpoint(db, name, logId),
        async choose(tx, events) {
          await appointAll(tx, events, clock.now())
          return []
        },
        parked: () => Promise.resolve([]),
        retry: () => Promise.resolve([]),
      },
    },
  })
}

async function appointAll(tx: Queryable, events: readonly StoredEvent[], now: Date): Promise<void> {
  const clients = new Map<string, NewAppointment>()
  const merchants = new Set<UserId>()
  for (const event of events) {
    const appointment = appointmentOf(event)
    if (appointment !== null)
      clients.set(`${appointment.clientId} ${appointment.receivableId ?? ''}`, appointment)
    else merchants.add(parseUserId(streamOwner(event.stream)))
  }
  await appointClients(tx, [...clients.values()], now)
  await appointMerchants(tx, [...merchants], now)
}

/** The fields of clients' and receivables' events that are not personal. */
const ofClient = z.object({
  merchantId: z.string(),
  clientId: z.string(),
  receivableId: z.string().optional(),
})

/** Null for an event of the merchant or its account. */
function appointmentOf({ data }: StoredEvent): NewAppointment | null {
  const read = ofClient.safeParse(data)
  return read.success ? read.data : null
}
